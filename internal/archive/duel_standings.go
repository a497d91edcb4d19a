package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// sidesOf are what each player had of each duel and race. What was carried over is such a
// duel, before all others.
//
// $1 rating of a new player, $3 Erased
const sidesOf = `
WITH sides AS (
    SELECT id, a AS player, state, decided_at, before_a AS before, after_a AS after, xp_a AS xp FROM duels WHERE a <> $3
    UNION ALL
    SELECT id, b, state, decided_at, before_b, after_b, xp_b FROM duels WHERE b <> $3
    UNION ALL
    SELECT s.race, s.player, r.state, r.decided_at, s.before, s.after, 0 FROM race_seats AS s JOIN races AS r ON r.id = s.race WHERE s.player <> $3 AND s.place > 0
    UNION ALL
    SELECT '', player, CASE WHEN rating IS NULL THEN '' ELSE 'decided' END, '-infinity', $1, rating, xp FROM duels_carried
)`

// standingRows goes by no order of duels, which a clock could get wrong: each
// duel begins with the rating that the one before it has left, so before and
// after cancel out but for what the player began with and what stands now, and
// that to the last bit. Where a duel is missing in between, what it did is
// missing and nothing else. Races move the same ratings.
//
// $1 rating of a new player, $2 ids of duels whose XP does not count, $3 Erased
const standingRows = sidesOf + `, players AS (
    SELECT player, coalesce(sum(xp) FILTER (WHERE id <> ALL ($2::text[])), 0)::bigint AS xp,
        CASE WHEN bool_or(before = $1) FILTER (WHERE state = 'decided') THEN $1
             ELSE (array_agg(before ORDER BY decided_at, id) FILTER (WHERE state = 'decided'))[1] END AS began
    FROM sides GROUP BY player
), remaining AS (
    SELECT player, rating, sum(n) AS n FROM (
        SELECT player, began AS rating, 1 AS n FROM players
        UNION ALL SELECT player, after, 1 FROM sides WHERE state = 'decided'
        UNION ALL SELECT player, before, -1 FROM sides WHERE state = 'decided'
    ) AS steps GROUP BY player, rating HAVING sum(n) <> 0
), ratings AS (
    SELECT player, sum(rating * n ORDER BY rating) AS rating FROM remaining GROUP BY player
)
SELECT player, rating, xp FROM players JOIN ratings USING (player) WHERE began IS NOT NULL`

// Standings tells where kept duels and races leave their players, in no order: those
// who have a duel that was decided. start is the rating of a new player. The XP
// of some duels can be left out. The same holds for each as with [Results.OfDay].
// 1 round trip.
func (a Duels) Standings(ctx context.Context, start float64, without []string, each func([]game.DuelStanding) error) error {
	if without == nil {
		without = []string{}
	}
	return stream(ctx, a.db, "read where duels leave their players", standingRows, []any{start, without, Erased},
		func(rows pgx.Rows, s *game.DuelStanding) error { return rows.Scan(&s.Player, &s.Rating, &s.XP) }, each)
}

// lastRows is standingRows where ratings decay: what a duel begins with may be less than
// what the one before it has left. So a rating is what the last duels have made of what
// they began with: those of the week of a player's last one and, as clocks may differ, of
// the day before. Nothing decays between two of them, so of these the same holds as of
// all in standingRows. Ratings were no multiples of a unit before they decayed.
//
// $1 rating of a new player, $2 ids of duels whose XP does not count, $3 Erased, $4 units
// of a point
const lastRows = sidesOf + `, players AS (
    SELECT player, coalesce(sum(xp) FILTER (WHERE id <> ALL ($2::text[])), 0)::bigint AS xp,
        max(decided_at) FILTER (WHERE state = 'decided') AS last
    FROM sides GROUP BY player
), recent AS (
    SELECT player, id, decided_at, floor(before * $4 + 0.5) / $4 AS before, floor(after * $4 + 0.5) / $4 AS after
    FROM sides JOIN players USING (player)
    WHERE state = 'decided' AND decided_at >= date_trunc('week', last, 'UTC') - interval '1 day'
), remaining AS (
    SELECT player, rating, sum(n) AS n FROM (
        SELECT player, after AS rating, 1 AS n FROM recent
        UNION ALL SELECT player, before, -1 FROM recent
    ) AS steps GROUP BY player, rating HAVING sum(n) <> 0
), began AS (
    SELECT player, CASE WHEN unmatched.n = -1 THEN unmatched.rating ELSE first.before END AS rating
    FROM (SELECT DISTINCT ON (player) player, before FROM recent ORDER BY player, decided_at, id) AS first
    LEFT JOIN (SELECT player, min(rating) AS rating, sum(n) AS n FROM remaining WHERE n < 0 GROUP BY player) AS unmatched USING (player)
), ratings AS (
    SELECT player, sum(rating ORDER BY rating) AS rating
    FROM (SELECT player, rating * n AS rating FROM remaining UNION ALL SELECT player, rating FROM began) AS parts GROUP BY player
)
SELECT p.player, r.rating, p.xp, CASE WHEN isfinite(p.last) THEN p.last END, coalesce(c.through, 0)
FROM players AS p JOIN ratings AS r USING (player) LEFT JOIN duels_carried AS c USING (player)`

// LastStandings is Standings where ratings decay, without what idle weeks have cost since
// the last duel.
// 1 round trip.
func (a Duels) LastStandings(ctx context.Context, start float64, without []string, each func([]game.DuelStanding) error) error {
	if without == nil {
		without = []string{}
	}
	return stream(ctx, a.db, "read where duels leave their players", lastRows, []any{start, without, Erased, float64(game.RatingUnits)},
		func(rows pgx.Rows, s *game.DuelStanding) error {
			var last *time.Time
			err := rows.Scan(&s.Player, &s.Rating, &s.XP, &last, &s.Through)
			if last != nil {
				s.Last = last.UTC()
			}
			return err
		}, each)
}

// Begun tells how many kept duels and races everybody has begun, in no order. The same
// holds for each as with [Results.OfDay].
// 1 round trip.
func (a Duels) Begun(ctx context.Context, each func([]game.DuelsBegun) error) error {
	return stream(ctx, a.db, "count the duels of everybody", `
SELECT player, sum(n)::bigint FROM (
    SELECT a AS player, 1 AS n FROM duels UNION ALL SELECT b, 1 FROM duels UNION ALL SELECT player, begun FROM duels_carried
    UNION ALL SELECT player, 1 FROM race_seats
) AS sides WHERE player <> $1 GROUP BY player`, []any{Erased},
		func(rows pgx.Rows, b *game.DuelsBegun) error { return rows.Scan(&b.Player, &b.Duels) }, each)
}

// Since reads the duels that were made at a time or later and came to
// something, oldest first.
// The same holds for each as with [Results.OfDay].
// 1 round trip.
func (a Duels) Since(ctx context.Context, since time.Time, each func([]game.Duel) error) error {
	return stream(ctx, a.db, "read the latest duels",
		`SELECT `+duelColumnNames+` FROM duels WHERE created_at >= $1 AND state <> 'expired' ORDER BY created_at, id`, []any{since}, scanDuel, each)
}

// HasAny reports whether any of some duels is kept.
// 1 round trip.
func (a Duels) HasAny(ctx context.Context, ids []string) (found bool, err error) {
	err = a.db.change(ctx, "look for duels", `SELECT EXISTS (SELECT FROM duels WHERE id = ANY ($1::text[]))`, []any{ids}, &found)
	return found, err
}
