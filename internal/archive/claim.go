package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Claims are the devices that players have claimed: a copy of what Redis has.
type Claims struct{ db *database }

// Put keeps claims, and updates the days of those that it has already. A device keeps its
// first owner.
// 1 round trip.
func (a Claims) Put(ctx context.Context, claims []game.Claim) error {
	if len(claims) == 0 {
		return nil
	}
	return a.db.together(ctx, "keep claims", func(b *pgx.Batch) {
		for _, c := range claims {
			days := c.Days
			if days == nil {
				days = map[string]string{}
			}
			b.Queue(`
INSERT INTO claims AS old (device, player, claimed_at, days) VALUES ($1, $2, $3, $4)
ON CONFLICT (device) DO UPDATE SET days = old.days || excluded.days
WHERE old.player = excluded.player AND NOT old.days @> excluded.days`, c.Device, c.Player, c.At, days)
		}
	})
}

const claimColumns = `SELECT device, player, claimed_at AS at, days FROM claims `

// All reads every claim. It calls each as [Results.OfDay] does.
// 1 round trip.
func (a Claims) All(ctx context.Context, each func([]game.Claim) error) error {
	return stream(ctx, a.db, "read all claims", claimColumns, nil, pgx.RowToStructByName[game.Claim], each)
}

// Devices lists the digests of up to limit devices in ascending order, beginning after one of
// them; "" is the beginning.
// 1 round trip.
func (a Claims) Devices(ctx context.Context, after string, limit int) ([]string, error) {
	return collect(ctx, a.db, "list claimed devices", `SELECT device FROM claims WHERE device > $1 ORDER BY device LIMIT $2`,
		[]any{after, limit}, pgx.RowTo[string])
}

// Of lists the claims of a player, given by digest, newest first.
// 1 round trip.
func (a Claims) Of(ctx context.Context, player string) ([]game.Claim, error) {
	return collect(ctx, a.db, "read a player's claims", claimColumns+`WHERE player = $1 ORDER BY claimed_at DESC, device`,
		[]any{player}, pgx.RowToStructByName[game.Claim])
}
