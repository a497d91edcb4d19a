package duelstore

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

// PutOpen keeps the present state of duels under way, and deletes those that have ended.
// 1 round trip.
func (a Table) PutOpen(ctx context.Context, open []duel.Duel, ended []string) error {
	if len(open)+len(ended) == 0 {
		return nil
	}
	return a.db.Together(ctx, "keep duels under way", func(b *pgx.Batch) {
		if len(ended) > 0 {
			b.Queue(`DELETE FROM open_duels WHERE id = ANY ($1::text[])`, ended)
		}
		for _, d := range open {
			reports, _ := json.Marshal(d.Reports) // numbers always marshal
			b.Queue(`
INSERT INTO open_duels AS old (id, state, a, b, mode, created_at, until, k, reports)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
WHERE NOT erased_since($3, $6) AND NOT erased_since($4, $6) AND NOT EXISTS (SELECT FROM duels WHERE id = $1)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, b = excluded.b, until = excluded.until, k = excluded.k, reports = excluded.reports
WHERE (old.state, old.b, old.until, old.k, old.reports) IS DISTINCT FROM (excluded.state, excluded.b, excluded.until, excluded.k, excluded.reports)`,
				d.ID, string(d.State), d.Players[0], d.Players[1], d.Mode, d.CreatedAt, d.Until, d.K, string(reports))
		}
	})
}

// EachOpen reads the duels that were under way when they were last kept, without those noted as
// ended. It calls each as [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) EachOpen(ctx context.Context, each func([]duel.Duel) error) error {
	return archive.Stream(ctx, a.db, "read the duels under way", `
SELECT id, state, a, b, mode, created_at, until, k, reports FROM open_duels AS o
WHERE NOT EXISTS (SELECT FROM duels AS d WHERE d.id = o.id)`, nil,
		func(row pgx.CollectableRow) (d duel.Duel, err error) {
			return d, row.Scan(&d.ID, &d.State, &d.Players[0], &d.Players[1], &d.Mode, &d.CreatedAt, &d.Until, &d.K, &d.Reports)
		}, each)
}

// PutCarried keeps what players have from duels that the archive does not have (rating, XP and
// their number), in place of what was kept of these players.
// 1 round trip.
func (a Table) PutCarried(ctx context.Context, all []game.DuelsCarried) error {
	if len(all) == 0 {
		return nil
	}
	return a.db.Together(ctx, "keep what duels have left", func(b *pgx.Batch) {
		for _, c := range all {
			b.Queue(`
INSERT INTO duels_carried (player, rating, xp, begun, through) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (player) DO UPDATE SET rating = excluded.rating, xp = excluded.xp, begun = excluded.begun, through = excluded.through`, c.Player, c.Rating, c.XP, c.Begun, c.Through)
		}
	})
}

// Carried reads what players have from duels that the archive does not have.
// 1 round trip.
func (a Table) Carried(ctx context.Context) ([]game.DuelsCarried, error) {
	return archive.Collect(ctx, a.db, "read what duels have left", `SELECT player, rating, xp, begun, coalesce(through, 0) AS through FROM duels_carried`,
		nil, pgx.RowToStructByName[game.DuelsCarried])
}
