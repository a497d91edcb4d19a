package archive

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Query says which days to combine for every player.
type Query struct {
	Mode     *game.Mode // whose aggregate combines them
	From, To game.Date  // both included
	Scope    game.Scope
	// TrueScores leaves tie fractions out of sums, as all time and seasons do: the fractions
	// of more than 31 days could add up to 1.
	TrueScores bool
	// Decays adds up true scores with the weights that rolling up into all time gives them,
	// oldest day first: the sum equals the rolled-up one to the last bit.
	Decays bool
}

// everyRow reads a whole board.
const everyRow = `
SELECT player, stored FROM board`

// arguments returns the arguments of a board's query.
func (q Query) arguments() []any {
	return []any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), scopeName(q.Scope), q.combined(), q.Mode.Teams.Best}
}

// combined is the query's name for the way in which days are combined.
func (q Query) combined() string {
	if q.Mode.Aggregate == game.Sum && q.TrueScores {
		return "true sum"
	}
	return string(q.Mode.Aggregate)
}

// Totals combines the days of a mode as package leaderboard does, for every player with a result, in
// no order and without ranks. It calls each as [Results.OfDay] does.
// 1 round trip; 2 with decay.
func (a Results) Totals(ctx context.Context, q Query, each func([]game.Entry) error) error {
	board, args := periodBoard, q.arguments()
	if q.Decays {
		weights, err := a.weights(ctx, q)
		if err != nil {
			return err
		}
		board, args = decayedBoard, append(args[:4], weights...)
	}
	if q.Scope.Kind() == game.Teams {
		board = groupsBoard
	}
	return Stream(ctx, a.db, "add up "+q.Mode.Name, board+everyRow, args, scanEntry, each)
}

// XPTotals adds up the XP of the days from from to to, for every player with a result in a
// mode that gives XP. It calls each as [Results.OfDay] does.
// 1 round trip.
func (a Results) XPTotals(ctx context.Context, modes []*game.Mode, from, to game.Date, each func([]game.Entry) error) error {
	args := append([]any{from.Midnight(), to.Midnight()}, XPArguments(modes)...)
	return Stream(ctx, a.db, "add up XP", XPRows, args, scanEntry, each)
}

// A board that decays is a sum of float64s, so the order of adding decides the last bits.
// Rolling up adds the oldest day first, and these queries do the same.
const (
	// decayedBoard is periodBoard with true scores and weights.
	//
	// $1 to $4 as in every board, $5 the weights of days, $6 the date of the first weight
	decayedBoard = `
WITH board AS (
    SELECT player, sum(floor(stored) * weight ORDER BY date) AS stored
    FROM (
        SELECT player, date, ($5::float8[])[date - $6::date + 1] AS weight,
            CASE WHEN $4::text = '' THEN stored ELSE coalesce(scoped_stored[array_position(scopes, $4)], stored) END AS stored
        FROM results
        WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND ($4 = '' OR $4 = ANY (scopes))
    ) AS days
    GROUP BY player
)`

	// decayedGroupRows reads the players of all groups, as decayedBoard those of one.
	//
	// $1 mode, $2 first date, $3 last date, $4 the weights of days, $5 the date of the first
	// weight
	decayedGroupRows = `
SELECT scope, player, sum(floor(stored) * weight ORDER BY date) AS stored
FROM (
    SELECT scope, player, date, ($4::float8[])[date - $5::date + 1] AS weight, coalesce(scoped_stored[slot], stored) AS stored
    FROM results CROSS JOIN unnest(scopes) WITH ORDINALITY AS counted (scope, slot)
    WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND starts_with(scope, 'group:')
) AS days
GROUP BY scope, player ORDER BY scope`
)

// weights returns the weights of all days that a query can meet, and the date of the first.
// 1 round trip.
func (a Results) weights(ctx context.Context, q Query) (arguments []any, err error) {
	var first game.Date
	err = a.db.Change(ctx, "find the oldest day of "+q.Mode.Name, `
SELECT coalesce(min(date), $3::date) FROM results WHERE mode = $1::text AND date BETWEEN $2::date AND $3`,
		[]any{q.Mode.Name, q.From.Midnight(), q.To.Midnight()}, &first)
	if err != nil {
		return nil, err
	}
	weights := []float64{}
	for d := first; !d.After(q.To); d = d.AddDays(1) {
		weights = append(weights, q.Mode.Decay.Weight(d))
	}
	return []any{weights, first.Midnight()}, nil
}

// groupRows reads the players of all groups, as periodBoard those of one.
//
// $1 mode, $2 first date, $3 last date, $4 how days are combined
const groupRows = `
SELECT scope, player, CASE $4::text
    WHEN 'max' THEN max(stored) WHEN 'min' THEN min(stored)
    WHEN 'last' THEN (array_agg(stored ORDER BY date DESC))[1]
    WHEN 'true sum' THEN sum(floor(stored)) ELSE sum(stored)
END AS stored
FROM (
    SELECT scope, player, date, coalesce(scoped_stored[slot], stored) AS stored
    FROM results CROSS JOIN unnest(scopes) WITH ORDINALITY AS counted (scope, slot)
    WHERE mode = $1::text AND date BETWEEN $2::date AND $3::date AND (starts_with(scope, 'group:') OR starts_with(scope, 'level:'))
) AS days
GROUP BY scope, player ORDER BY scope`

// GroupTotals is [Results.Totals] for every group, one after the other; it ignores the query's
// scope. Each call of each gets one whole group.
// 1 round trip; 2 with decay.
func (a Results) GroupTotals(ctx context.Context, q Query, each func(game.Scope, map[string]float64) error) error {
	type entry struct {
		Scope, Player string
		Stored        float64
	}
	group, all := "", map[string]float64{}
	give := func() error {
		if len(all) == 0 {
			return nil
		}
		scope, err := game.ParseScope(group)
		if err != nil {
			return err
		}
		err = each(scope, all)
		all = map[string]float64{}
		return err
	}
	rows, args := groupRows, []any{q.Mode.Name, q.From.Midnight(), q.To.Midnight(), q.combined()}
	if q.Decays {
		weights, err := a.weights(ctx, q)
		if err != nil {
			return err
		}
		rows, args = decayedGroupRows, append(args[:3], weights...)
	}
	err := Stream(ctx, a.db, "add up the groups of "+q.Mode.Name, rows, args, pgx.RowToStructByName[entry],
		func(entries []entry) error {
			for _, e := range entries {
				if e.Scope != group {
					if err := give(); err != nil {
						return err
					}
					group = e.Scope
				}
				all[e.Player] = e.Stored
			}
			return nil
		})
	if err != nil {
		return err
	}
	return give()
}

// xpRows adds up XP in double precision, as Redis does. Each row gives what [game.Mode.XPOf]
// says: floor(true score, or 0 if that is less, × numerator / denominator), the XP of a play, and the gain of the
// best threshold that the score reaches. width_bucket, which counts the thresholds reached,
// wants them ascending: so scores and thresholds are multiplied by the mode's direction.
//
// $1 first date, $2 last date, then by mode: names, numerators, denominators, plays,
// directions, thresholds, gains
const XPRows = XPRule + `
SELECT player, sum(` + XPOfRow + `)
FROM results JOIN rule USING (mode)
WHERE date BETWEEN $1 AND $2
GROUP BY player`

// xpRule is the modes' rules, xpOfRow the XP that they give for a result.
const XPRule = `
WITH rule AS MATERIALIZED (
  SELECT mode, numerator, denominator, play, direction,
         thresholds::double precision[] AS thresholds, gains::double precision[] AS gains
  FROM unnest($3::text[], $4::double precision[], $5::double precision[], $6::double precision[],
              $7::double precision[], $8::text[], $9::text[])
       AS given (mode, numerator, denominator, play, direction, thresholds, gains)
)`

const XPOfRow = `
  floor(greatest(floor(stored), 0) * numerator / denominator) + play
  + coalesce(gains[width_bucket(direction * floor(stored), thresholds)], 0)`

// xpArguments returns the parameters of xpRows that describe the modes' rules.
func XPArguments(modes []*game.Mode) []any {
	var names, thresholds, gains []string
	var numerators, denominators, plays, directions []float64
	for _, m := range modes {
		if !m.GivesXP() {
			continue
		}
		direction := 1.0
		if m.Order == game.Asc {
			direction = -1
		}
		var from, gained []string
		for _, step := range m.XP.Scores {
			from = append(from, strconv.FormatInt(int64(direction)*int64(game.Reaching(m, step.Score)), 10))
			gained = append(gained, strconv.FormatInt(step.XP, 10))
		}
		names = append(names, m.Name)
		numerators = append(numerators, float64(m.XP.Weight))
		denominators = append(denominators, xpScale(m))
		plays = append(plays, float64(m.XP.Play))
		directions = append(directions, direction)
		thresholds = append(thresholds, "{"+strings.Join(from, ",")+"}") // arrays of arrays would have to be of one length
		gains = append(gains, "{"+strings.Join(gained, ",")+"}")
	}
	return []any{names, numerators, denominators, plays, directions, thresholds, gains}
}

// xpScale is the denominator of a mode's weight: thousandths, times the scale of the score's
// decimals.
func xpScale(m *game.Mode) float64 {
	scale := 1000.0
	for range m.Decimals {
		scale *= 10
	}
	return scale
}
