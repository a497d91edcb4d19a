package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// currencies compares what players have earned on closed days, and spent, with the archive.
// Spends on their way to the archive count as the archive's.
func (v *verify) currencies(ctx context.Context) error {
	store := v.c.Store.Wallets.Books()
	if !store.On() {
		return nil
	}
	coming, _, err := store.Spends(ctx)
	if err != nil {
		return err
	}
	wallets := v.c.Archive.Wallets
	earned, err := sums(func(each func([]archive.Earned) error) error {
		return wallets.EarnedBefore(ctx, v.today().AddDays(2), each)
	})
	if err != nil {
		return err
	}
	spent, err := sums(func(each func([]archive.Earned) error) error { return wallets.Spent(ctx, each) })
	if err != nil {
		return err
	}
	for _, c := range v.game.Currencies {
		of := archive.Earned{Currency: c.Name}
		if spent[of] == nil {
			spent[of] = map[string]int64{}
		}
		for _, s := range coming {
			if s.Currency == c.Name {
				spent[of][s.Player] += s.Amount
			}
		}
		has, gone, err := store.Totals(ctx, c.Name)
		if err != nil {
			return err
		}
		compare(v, game.EarnedKey(c.Name), withoutNothing(has), earned[of])
		compare(v, game.SpentKey(c.Name), gone, spent[of])
	}
	return nil
}

// withoutNothing removes players who now have earned nothing.
func withoutNothing(all map[string]int64) map[string]int64 {
	for player, amount := range all {
		if amount == 0 {
			delete(all, player)
		}
	}
	return all
}
