package duelstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

// sidesOf is each player's side of each duel and race. What a player has carried over counts
// as one duel before all others.
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

// standingRows does not rely on the order of duels, which a clock could get wrong. Each duel
// begins with the rating that the previous one left, so all before and after cancel out,
// except the rating that the player began with and the rating at the end: exact to the last
// bit. Where a duel in the middle is missing, only the change that it made is missing. Races
// move the same ratings.
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

// Standings reads the rating and XP that kept duels and races leave their players with, in no
// order, for the players who have a decided duel. start is the rating of a new player. The XP
// of the duels in without does not count. It calls each as [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) Standings(ctx context.Context, start float64, without []string, each func([]game.DuelStanding) error) error {
	return archive.Stream(ctx, a.db, "read where duels leave their players", standingRows, []any{start, archive.OrNone(without), archive.Erased}, pgx.RowToStructByNameLax[game.DuelStanding], each)
}

// lastRows is standingRows for ratings that decay, where a duel may begin with less than the
// previous one left. It takes only the last duels: those of the week of the player's last duel
// and, since clocks differ, of the day before that week. The rating is what these made of the
// rating that they began with: nothing decays between them, so they cancel out as in
// standingRows. Ratings from before a game's ratings decayed were not multiples of a unit, so
// they are rounded.
//
// $1 rating of a new player, $2 ids of duels whose XP does not count, $3 Erased, $4 units of a
// point
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
SELECT p.player, r.rating, p.xp, CASE WHEN isfinite(p.last) THEN p.last END AS last, coalesce(c.through, 0) AS through
FROM players AS p JOIN ratings AS r USING (player) LEFT JOIN duels_carried AS c USING (player)`

// LastStandings is Standings for ratings that decay, without the points that idle weeks since
// the last duel have cost.
// 1 round trip.
func (a Table) LastStandings(ctx context.Context, start float64, without []string, each func([]game.DuelStanding) error) error {
	return archive.Stream(ctx, a.db, "read where duels leave their players", lastRows, []any{start, archive.OrNone(without), archive.Erased, float64(game.RatingUnits)},
		pgx.RowToStructByName[game.DuelStanding], each)
}

// EachBegun reads how many kept duels and races each player has begun, in no order. It calls each
// as [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) EachBegun(ctx context.Context, each func([]game.DuelsBegun) error) error {
	return archive.Stream(ctx, a.db, "count the duels of everybody", `
SELECT player, sum(n)::bigint AS duels FROM (
    SELECT a AS player, 1 AS n FROM duels WHERE decided_by <> 'operator' UNION ALL SELECT b, 1 FROM duels UNION ALL SELECT player, begun FROM duels_carried
    UNION ALL SELECT player, 1 FROM race_seats
) AS sides WHERE player <> $1 GROUP BY player`, []any{archive.Erased}, pgx.RowToStructByName[game.DuelsBegun], each)
}

// Since reads the duels made at a time or later that did not expire, oldest first, without
// corrections of ratings. It calls
// each as [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) Since(ctx context.Context, since time.Time, each func([]duel.Duel) error) error {
	return archive.Stream(ctx, a.db, "read the latest duels",
		`SELECT `+duelColumnNames+` FROM duels WHERE created_at >= $1 AND state <> 'expired' AND decided_by <> 'operator' ORDER BY created_at, id`, []any{since}, scanDuel, each)
}

// HasAny reports whether any duel of the ids is kept.
// 1 round trip.
func (a Table) HasAny(ctx context.Context, ids []string) (found bool, err error) {
	err = a.db.Change(ctx, "look for duels", `SELECT EXISTS (SELECT FROM duels WHERE id = ANY ($1::text[]))`, []any{ids}, &found)
	return found, err
}
