package walletstore

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Export is what is kept of a player's wallets. The archive may be nil.
func Export(wallets *wallet.Wallets, kept *archive.Archive) playerdata.Source {
	type balance struct {
		Balance int64 `json:"balance"` // what can be spent
		Earned  int64 `json:"earned"`
		Spent   int64 `json:"spent"`
	}
	s := playerdata.Source{About: func(ctx context.Context, player string) (playerdata.Fields, bool, error) {
		known, shown := false, map[string]balance{} // by currency
		all, err := wallets.Of(ctx, player)
		for _, b := range all {
			shown[b.Currency] = balance{b.Left(), b.Earned, b.Spent}
			known = known || shown[b.Currency] != balance{}
		}
		if len(shown) == 0 {
			return nil, false, err
		}
		return playerdata.Fields{"wallets": shown}, known, err
	}}
	if kept == nil {
		return s
	}
	read := func(ctx context.Context, player string, after playerdata.Mark, limit int) ([]game.Spend, error) {
		return In(kept).SpendsOf(ctx, player, game.Spend{At: after.At, ID: after.ID}, limit)
	}
	s.Lists = []playerdata.List{{Name: "spends", Optional: true, Read: playerdata.Rows(read, func(one game.Spend) playerdata.Row {
		return playerdata.Row{Value: one, Place: playerdata.Mark{At: one.At, ID: one.ID}}
	})}}
	return s
}
