package playerdata

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// wallets reads what the player has of every currency.
func (d *reading) wallets(ctx context.Context) error {
	d.Wallets = map[string]Wallet{}
	balances, err := d.s.Wallets.Of(ctx, d.Player)
	for _, b := range balances {
		d.Wallets[b.Currency] = Wallet{b.Left(), b.Earned, b.Spent}
	}
	return err
}

func (d *reading) spends(ctx context.Context, r *room) (err error) {
	d.Spends, d.at.Spends, err = fill(ctx, d.at.Spends, mostOthers, r,
		func(ctx context.Context, after mark, limit int) ([]game.Spend, error) {
			return d.s.Archive.Spends(ctx, d.Player, game.Spend{At: after.At, ID: after.ID}, limit)
		},
		func(row game.Spend) mark { return mark{row.At, row.ID} }, asJSON[game.Spend])
	return err
}
