package badgestore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/game"
)

// Table has what players were given by the rules of the game.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// PlayerBadge is a badge with the player who has it.
type PlayerBadge struct {
	Player string
	badge.Badge
}

// Give gives badges, each once: a player who already has one keeps it, with the earlier of the
// two days. from is when the badges' facts were read: a player erased since then gets none.
// Give returns the number of new badges by rule.
// 1 round trip.
func (a Table) Give(ctx context.Context, badges []PlayerBadge, from time.Time) (news map[string]int, err error) {
	if len(badges) == 0 {
		return nil, nil
	}
	n := len(badges)
	texts := make([][]string, 6)
	for i := range texts {
		texts[i] = make([]string, n)
	}
	earned, since := make([]time.Time, n), make([]time.Time, n)
	for i, b := range badges {
		for k, text := range []string{b.Player, b.Rule, b.Key, b.Mode, b.Scope, b.Period} {
			texts[k][i] = text
		}
		earned[i], since[i] = b.Earned.Midnight(), b.Since.Midnight()
	}
	rules, err := archive.Collect(ctx, a.db, "give badges", a.withEvents(`
INSERT INTO badges AS old (player, rule, key, mode, scope, period, earned, since)
SELECT DISTINCT ON (player, rule, key) player, rule, key, mode, scope, period, earned, since
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::date[], $8::date[]) WITH ORDINALITY
  AS rows (player, rule, key, mode, scope, period, earned, since, place)
WHERE NOT erased_since(player, $9)
ORDER BY player, rule, key, earned, place
ON CONFLICT (player, rule, key) DO UPDATE
SET earned = excluded.earned, since = excluded.since, mode = excluded.mode, scope = excluded.scope, period = excluded.period
WHERE excluded.earned < old.earned`),
		append([]any{texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], earned, since, from}, a.listening()...), pgx.RowTo[string])
	news = map[string]int{}
	for _, rule := range rules {
		news[rule]++
	}
	return news, err
}

// withEvents extends a statement that gives badges: it returns the rules of the new ones and,
// where endpoints listen, notes an event for each.
func (a Table) withEvents(give string) string {
	given := `WITH given AS (` + give + ` RETURNING player, rule, key, earned, since, mode, scope, period, xmax = 0 AS new)` // else a row was there, and locked
	if len(a.db.Listeners(game.BadgeGiven)) > 0 {
		given += `, noted AS (` + archive.InsertEvents(`SELECT concat_ws(E'\n', player, rule, key) AS identity, player, jsonb_build_object('badge', rule, 'earned', earned::text) || CASE WHEN mode = '' THEN '{}'
    ELSE jsonb_build_object('mode', mode, 'scope', scope) END || CASE WHEN period = '' THEN '{}'
    ELSE jsonb_build_object('period', period, 'first', since::text, 'last', earned::text) END AS data
    FROM given WHERE new`, "$10", "$11", "$9") + `)`
	}
	return given + ` SELECT rule FROM given WHERE new`
}

// listening returns the parameters that noting events adds.
func (a Table) listening() []any {
	if to := a.db.Listeners(game.BadgeGiven); len(to) > 0 {
		return []any{to, string(game.BadgeGiven)}
	}
	return nil
}

const badgeColumns = `rule, key, earned, since, mode, scope, period, taken_at IS NOT NULL AS taken FROM badges `

// Of lists a player's badges after one of them, newest first; the zero Badge is the beginning.
// It lists those of some rules, or with nil of all rules there ever were; also those that were
// taken.
// 1 round trip.
func (a Table) Of(ctx context.Context, player string, rules []string, after badge.Badge, limit int) ([]badge.Badge, error) {
	earned := after.Earned.Midnight()
	return archive.Collect(ctx, a.db, "read a player's badges", `SELECT `+badgeColumns+`
WHERE player = $1 AND ($2::text[] IS NULL OR rule = ANY ($2)) AND ($3 = '' OR (earned, rule, key) < ($4::date, $3, $5))
ORDER BY earned DESC, rule DESC, key DESC LIMIT $6`, []any{player, rules, after.Rule, earned, after.Key, limit}, pgx.RowToStructByName[badge.Badge])
}

// Holders returns, by player and rule, which of the players have a badge of which of the rules
// with a day up to through.
// 1 round trip.
func (a Table) Holders(ctx context.Context, rules, players []string, through game.Date) (map[string]map[string]bool, error) {
	rows, err := archive.Collect(ctx, a.db, "read who has badges", `SELECT player, `+badgeColumns+`
WHERE rule = ANY ($1::text[]) AND player = ANY ($2::text[]) AND earned <= $3`, []any{rules, players, through.Midnight()}, pgx.RowToStructByName[PlayerBadge])
	has := map[string]map[string]bool{}
	for _, b := range rows {
		if has[b.Player] == nil {
			has[b.Player] = map[string]bool{}
		}
		has[b.Player][b.Rule] = true
	}
	return has, err
}

// CountRarities counts for each rule the players who have its badge, and all players with a
// result or a badge.
// 1 round trip, which reads an index of every result.
func (a Table) CountRarities(ctx context.Context, at time.Time) error {
	return a.db.Together(ctx, "count how rare badges are", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM badge_rarities WHERE NOT EXISTS (SELECT FROM badges WHERE badges.rule = badge_rarities.rule AND taken_at IS NULL)`)
		b.Queue(`
WITH held AS (SELECT rule, count(DISTINCT player) AS holders FROM badges WHERE taken_at IS NULL GROUP BY rule),
     everybody AS (SELECT count(*) AS players FROM (SELECT player FROM results UNION SELECT player FROM badges) AS one)
INSERT INTO badge_rarities AS old (rule, holders, players, counted_at)
SELECT rule, holders, players, $1 FROM held, everybody
ON CONFLICT (rule) DO UPDATE SET holders = excluded.holders, players = excluded.players, counted_at = excluded.counted_at`, at)
	})
}

// Rarities returns how rare each rule's badges were at the last count.
// 1 round trip.
func (a Table) Rarities(ctx context.Context) (map[string]badge.Rarity, error) {
	type row struct {
		Rule string
		badge.Rarity
	}
	rows, err := archive.Collect(ctx, a.db, "read how rare badges are", `SELECT rule, holders, players FROM badge_rarities`, nil, pgx.RowToStructByName[row])
	all := make(map[string]badge.Rarity, len(rows))
	for _, r := range rows {
		all[r.Rule] = r.Rarity
	}
	return all, err
}

// Move gives the badges of a device to the player who claims it.
// 1 round trip.
func (a Table) Move(ctx context.Context, device, player string) error {
	return a.db.Together(ctx, "give a device's badges to its owner", func(b *pgx.Batch) {
		b.Queue(`
WITH moved AS (DELETE FROM badges WHERE player = $1 RETURNING *)
INSERT INTO badges AS old (player, rule, key, earned, since, mode, scope, period, taken_at, by_hand)
SELECT $2, rule, key, earned, since, mode, scope, period, taken_at, by_hand FROM moved
ON CONFLICT (player, rule, key) DO UPDATE
SET earned = excluded.earned, since = excluded.since, mode = excluded.mode, scope = excluded.scope, period = excluded.period
WHERE excluded.earned < old.earned`, device, player)
		b.Queue(archive.MoveNews, device, player)
	})
}

// removeBadges deletes the badges that followed from a removed result: for places and scores
// of its mode, in periods that contain its day. $1 mode, $2 date, $3 player
const removeBadges = `DELETE FROM badges WHERE mode = $1 AND $2 BETWEEN since AND earned AND player = $3 AND taken_at IS NULL`

// eraseBadges are the statements that delete a player's badges and peers.
var eraseBadges = []string{
	`DELETE FROM badges WHERE player = $1`, `DELETE FROM peers WHERE player = $1`, `DELETE FROM peers WHERE peer = $1`,
}

// Tables are the tables of badges.
func Tables() archive.Tables {
	return archive.Tables{
		Name:  "badges",
		Keeps: archive.Keeping(`EXISTS (SELECT FROM badges WHERE player = $1)`),
		Erase: archive.Erasing(eraseBadges...),
		DeleteResult: func(b *pgx.Batch, mode string, d game.Date, player string) {
			b.Queue(removeBadges, mode, d.Midnight(), player)
		},
	}
}
