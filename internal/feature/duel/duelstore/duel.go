// Package duelstore keeps duels in Postgres, computes standings from them, and writes them into a
// player's document. It knows SQL, and nothing of Redis or HTTP.
package duelstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
)

// duelColumnNames are the columns of a row, in the order of duelColumns and scanDuel.
const duelColumnNames = `id, state, a, b, mode, created_at, k, winner, score_a, score_b, decided_by, decided_at,
    before_a, after_a, rank_a, before_b, after_b, rank_b, points_a, xp_a, points_b, xp_b`

// Table has the duels that are over, the duels under way as Redis last had them, and what they
// made of their players.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// Put keeps duels that are decided or disputed, and those that expired after both players had
// come, up to MostRows. A duel that is kept as decided does not change any more. Erased takes
// the place of players who have been erased since.
// 1 round trip.
func (a Table) Put(ctx context.Context, duels []duel.Duel) error {
	n := len(duels)
	if n > archive.MostRows {
		return fmt.Errorf("%d duels are too many to put at once; use up to %d", n, archive.MostRows)
	}
	if n == 0 {
		return nil
	}
	var c duelColumns
	for _, d := range duels {
		c.add(d)
	}
	return a.db.Run(ctx, "put duels", `
INSERT INTO duels AS old (`+duelColumnNames+`)
SELECT id, state, CASE WHEN erased_since(a, seen) THEN $23 ELSE a END, CASE WHEN erased_since(b, seen) THEN $23 ELSE b END,
    mode, created_at, k, winner, score_a, score_b, decided_by, decided_at, before_a, after_a, rank_a, before_b, after_b, rank_b,
    points_a, xp_a, points_b, xp_b
FROM (
    SELECT *, coalesce(decided_at, created_at) AS seen
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::double precision[],
        $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::timestamptz[],
        $13::double precision[], $14::double precision[], $15::bigint[], $16::double precision[], $17::double precision[], $18::bigint[],
        $19::bigint[], $20::bigint[], $21::bigint[], $22::bigint[])
        AS given (`+duelColumnNames+`)
) AS rows
ON CONFLICT (id) DO UPDATE
SET state = excluded.state, winner = excluded.winner, score_a = excluded.score_a, score_b = excluded.score_b,
    decided_by = excluded.decided_by, decided_at = excluded.decided_at,
    before_a = excluded.before_a, after_a = excluded.after_a, rank_a = excluded.rank_a,
    before_b = excluded.before_b, after_b = excluded.after_b, rank_b = excluded.rank_b,
    points_a = excluded.points_a, xp_a = excluded.xp_a, points_b = excluded.points_b, xp_b = excluded.xp_b
WHERE old.state = 'disputed' AND excluded.state = 'decided'`,
		c.ids, c.states, c.a, c.b, c.modes, c.created, c.k, c.winners, c.scoresA, c.scoresB, c.by, c.decided,
		c.before[0], c.after[0], c.ranks[0], c.before[1], c.after[1], c.ranks[1],
		c.points[0], c.xp[0], c.points[1], c.xp[1], archive.Erased)
}

// duelColumns are duels by column.
type duelColumns struct {
	ids, states, a, b, modes, by []string
	created                      []time.Time
	decided                      []*time.Time
	winners                      []*string
	scoresA, scoresB             []*int64
	k                            []float64
	before, after                [2][]float64
	ranks, points, xp            [2][]int64
}

// winners are the column winner's values, by Winner + 1.
var winners = [...]string{"-", "a", "b"}

func (c *duelColumns) add(d duel.Duel) {
	c.ids, c.states = append(c.ids, d.ID), append(c.states, string(d.State))
	c.a, c.b = append(c.a, d.Players[0]), append(c.b, d.Players[1])
	c.modes, c.by = append(c.modes, d.Mode), append(c.by, string(d.By))
	c.created, c.k = append(c.created, d.CreatedAt), append(c.k, d.K)
	var winner *string
	var score [2]*int64
	var decided *time.Time
	if o := d.Outcome; o != nil {
		winner, decided = &winners[o.Winner+1], &d.DecidedAt
		if o.Score != nil {
			score = [2]*int64{&o.Score[0], &o.Score[1]}
		}
	}
	c.winners, c.decided = append(c.winners, winner), append(c.decided, decided)
	c.scoresA, c.scoresB = append(c.scoresA, score[0]), append(c.scoresB, score[1])
	for i, r := range d.Ratings {
		c.before[i], c.after[i] = append(c.before[i], r.Before), append(c.after[i], r.After)
		c.ranks[i] = append(c.ranks[i], r.Rank)
		c.points[i], c.xp[i] = append(c.points[i], d.Points[i]), append(c.xp[i], d.XP[i])
	}
}

// Of lists a player's duels, without expired ones and corrections of ratings, newest first: those made before a moment,
// or at that moment with a lesser id.
// 1 round trip.
func (a Table) Of(ctx context.Context, player string, at time.Time, id string, limit int) ([]duel.Duel, error) {
	const page = ` AND state <> 'expired' AND decided_by <> 'operator' AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4`
	return archive.Collect(ctx, a.db, "list the duels of a player", `
SELECT `+duelColumnNames+` FROM (
    (SELECT * FROM duels WHERE a = $1`+page+`) UNION ALL (SELECT * FROM duels WHERE b = $1`+page+`)
) AS found ORDER BY created_at DESC, id DESC LIMIT $4`, []any{player, at, id, limit}, scanDuel)
}

func scanDuel(row pgx.CollectableRow) (d duel.Duel, err error) {
	var winner *string
	var score [2]*int64
	r := &d.Ratings
	err = row.Scan(&d.ID, &d.State, &d.Players[0], &d.Players[1], &d.Mode, &d.CreatedAt, &d.K, &winner, &score[0], &score[1],
		&d.By, &d.DecidedAt, &r[0].Before, &r[0].After, &r[0].Rank, &r[1].Before, &r[1].After, &r[1].Rank,
		&d.Points[0], &d.XP[0], &d.Points[1], &d.XP[1])
	if err != nil || winner == nil {
		return d, err
	}
	d.Outcome = &duel.Outcome{Winner: strings.Index("-ab", *winner) - 1}
	if score[0] != nil && score[1] != nil {
		d.Outcome.Score = &[2]int64{*score[0], *score[1]}
	}
	return d, nil
}

// eraseDuels puts Erased in a player's place.
const eraseDuels = `
UPDATE duels SET a = CASE WHEN a = $1 THEN $2 ELSE a END, b = CASE WHEN b = $1 THEN $2 ELSE b END
WHERE a = $1 OR b = $1`

// Forfeit takes away the XP that duels have given a player.
// 1 round trip.
func (a Table) Forfeit(ctx context.Context, player string) error {
	return a.db.Run(ctx, "take the XP of a player's duels", `
WITH carried AS (UPDATE duels_carried SET xp = 0 WHERE player = $1)
UPDATE duels SET xp_a = CASE WHEN a = $1 THEN 0 ELSE xp_a END, xp_b = CASE WHEN b = $1 THEN 0 ELSE xp_b END
WHERE a = $1 AND xp_a > 0 OR b = $1 AND xp_b > 0`, player)
}

// FindKnown returns those of the ids that belong to a kept duel which has not expired.
// 1 round trip.
func (a Table) FindKnown(ctx context.Context, ids []string) ([]string, error) {
	return archive.Collect(ctx, a.db, "look for duels", `SELECT id FROM duels WHERE id = ANY ($1) AND state <> 'expired'`, []any{ids}, pgx.RowTo[string])
}

// Tables are the tables of duels.
func Tables() archive.Tables {
	return archive.Tables{
		Name: "duels",
		Keeps: archive.Keeping(`EXISTS (SELECT FROM duels WHERE a = $1)`, `EXISTS (SELECT FROM duels WHERE b = $1)`,
			`EXISTS (SELECT FROM open_duels WHERE $1 IN (a, b))`, `EXISTS (SELECT FROM duels_carried WHERE player = $1)`),
		Erase: func(b *pgx.Batch, player string) {
			b.Queue(eraseDuels, player, archive.Erased)
			b.Queue(`DELETE FROM open_duels WHERE $1 IN (a, b)`, player)
			b.Queue(`DELETE FROM duels_carried WHERE player = $1`, player)
		},
	}
}
