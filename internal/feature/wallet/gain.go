package wallet

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/game"
)

// Gain shows the player what a play has earned, by currency. The play is counted when it is
// claimed, so this costs nothing.
type Gain struct{ Game *game.Game }

// Key implements [api.Gain].
func (Gain) Key() string { return "earned" }

// Of is "coins=3,gems=1".
func (g Gain) Of(_ context.Context, sub game.Submission, _ api.Play) (string, error) {
	var all []string
	for _, e := range CurrenciesOf(g.Game).Earned(sub.Mode) {
		all = append(all, e.Currency+"="+strconv.FormatInt(e.Amount, 10))
	}
	slices.Sort(all)
	return strings.Join(all, ","), nil
}

// Show is the amounts by currency.
func (Gain) Show(text string) (any, error) {
	by := map[string]int64{}
	for each := range strings.SplitSeq(text, ",") {
		currency, amount, _ := strings.Cut(each, "=")
		n, err := strconv.ParseInt(amount, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read what a play has earned: %w", err)
		}
		by[currency] = n
	}
	return by, nil
}
