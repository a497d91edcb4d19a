package badgestore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Facts are the facts that badges are given for, except those that boards have.
type Facts struct{ db *archive.DB }

// FactsIn is the facts of an archive.
func FactsIn(a *archive.Archive) Facts { return Facts{a.DB()} }

// XPDay is a date on which a player has a result, and the XP that it gave.
type XPDay struct {
	Player string
	Date   game.Date
	XP     int64
}

// Days reads, by player and date, on which dates up to through the players have played and
// what XP each date gave in the modes. It calls each as [archive.Results.OfDay] does.
// 1 round trip.
func (a Facts) Days(ctx context.Context, modes []*game.Mode, players []string, through game.Date, each func([]XPDay) error) error {
	args := append([]any{time.Time{}, through.Midnight()}, archive.XPArguments(modes)...)
	return archive.Stream(ctx, a.db, "read what players' days gave", archive.XPRule+`
SELECT player, date, coalesce(sum(`+archive.XPOfRow+`), 0)::bigint AS xp
FROM results LEFT JOIN rule USING (mode)
WHERE player = ANY ($10::text[]) AND date BETWEEN $1 AND $2
GROUP BY player, date ORDER BY player, date`, append(args, players), pgx.RowToStructByName[XPDay], each)
}

// Players lists the players with a result of a date.
// 1 round trip.
func (a Facts) Players(ctx context.Context, d game.Date) ([]string, error) {
	return archive.Collect(ctx, a.db, "read who played", `SELECT DISTINCT player FROM results WHERE date = $1`, []any{d.Midnight()}, pgx.RowTo[string])
}

// DuelDay is the outcome of a player's duels of one date.
type DuelDay struct {
	Player string
	Date   game.Date
	Won    int64
	XP     int64
}

const duelSides = `
FROM (SELECT a AS player, decided_at, winner = 'a' AS won, xp_a AS xp FROM duels UNION ALL
      SELECT b, decided_at, winner = 'b', xp_b FROM duels) AS sides
WHERE decided_at < $1 AND player <> $2`

// Winners lists the players who won at least so many duels before a moment.
// 1 round trip, which reads every duel.
func (a Facts) Winners(ctx context.Context, before time.Time, least int64) ([]string, error) {
	return archive.Collect(ctx, a.db, "count who has won", `SELECT player`+duelSides+` AND won GROUP BY player HAVING count(*) >= $3`,
		[]any{before, archive.Erased, least}, pgx.RowTo[string])
}

// Duels reads, by player and date, the outcome of the duels that were decided before a moment.
// 1 round trip.
func (a Facts) Duels(ctx context.Context, before time.Time, players []string) ([]DuelDay, error) {
	return archive.Collect(ctx, a.db, "read what players' duels came to", `
SELECT player, (decided_at AT TIME ZONE 'UTC')::date AS date, count(*) FILTER (WHERE won) AS won, sum(xp)::bigint AS xp`+duelSides+`
AND player = ANY ($3::text[]) GROUP BY player, date`, []any{before, archive.Erased, players}, pgx.RowToStructByName[DuelDay])
}

// PutPeers replaces the peers of a date: the players whom each player had to do with. from is
// when they were read: players erased since then are left out. PutPeers also deletes the peers
// of dates before keep.
// 1 round trip.
func (a Facts) PutPeers(ctx context.Context, d game.Date, peers map[string][]string, from time.Time, keep game.Date) error {
	var players, others []string
	for player, of := range peers {
		for _, peer := range of {
			players, others = append(players, player), append(others, peer)
		}
	}
	return a.db.Together(ctx, "put who had to do with whom", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM peers WHERE day = $1 OR day < $2`, d.Midnight(), keep.Midnight())
		b.Queue(`
INSERT INTO peers (day, player, peer)
SELECT $1, player, peer FROM unnest($2::text[], $3::text[]) AS rows (player, peer)
WHERE NOT erased_since(player, $4) AND NOT erased_since(peer, $4) ORDER BY player, peer
ON CONFLICT DO NOTHING`, d.Midnight(), players, others, from)
	})
}

// MetDay is a player's peers on a date: the players whom that player had to do with.
type MetDay struct {
	Player string
	Date   game.Date
	Peers  []string
}

// Met reads the peers of players on the dates from from to to. It calls each as
// [archive.Results.OfDay] does.
// 1 round trip.
func (a Facts) Met(ctx context.Context, players []string, from, to game.Date, each func([]MetDay) error) error {
	return archive.Stream(ctx, a.db, "read who had to do with whom", `
SELECT player, day AS date, array_agg(peer) AS peers FROM peers
WHERE player = ANY ($1::text[]) AND day BETWEEN $2 AND $3 GROUP BY player, day ORDER BY player, day`,
		[]any{players, from.Midnight(), to.Midnight()}, pgx.RowToStructByName[MetDay], each)
}
