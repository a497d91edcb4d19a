package walletstore

import (
	"context"

	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Verify compares what players have earned on closed days, and spent, with the archive.
// Spends on their way to the archive count as the archive's.
func (w *Store) Verify(ctx context.Context, c *lifecycle.Comparison) error {
	store := w.Books
	if !store.Enabled() {
		return nil
	}
	coming, _, err := store.Spends(ctx)
	if err != nil {
		return err
	}
	wallets := In(w.Archive)
	earned, err := sums(func(each func([]EarnedAmount) error) error {
		return wallets.EarnedBefore(ctx, w.Game.Today(w.Now()).AddDays(2), each)
	})
	if err != nil {
		return err
	}
	spent, err := sums(func(each func([]EarnedAmount) error) error { return wallets.EachSpending(ctx, each) })
	if err != nil {
		return err
	}
	for _, currency := range wallet.CurrenciesOf(w.Game) {
		of := EarnedAmount{Currency: currency.Name}
		if spent[of] == nil {
			spent[of] = map[string]int64{}
		}
		for _, s := range coming {
			if s.Currency == currency.Name {
				spent[of][s.Player] += s.Amount
			}
		}
		has, gone, err := store.Totals(ctx, currency.Name)
		if err != nil {
			return err
		}
		lifecycle.Compare(c, wallet.EarnedKey(currency.Name), withoutNothing(has), earned[of])
		lifecycle.Compare(c, wallet.SpentKey(currency.Name), gone, spent[of])
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
