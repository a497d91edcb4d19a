package wallet

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Currency is what accepted plays earn and players spend.
type Currency struct {
	Name string // see ValidMode for the form
	// Plays is what one play earns, by the mode's name in keys and rows.
	Plays map[string]int64
}

const (
	// MaxCurrencies bounds what one reading of a player's wallets costs.
	MaxCurrencies = 8
	// maxEarned keeps a balance exact in a double however much is played: a thousand plays a
	// day for a thousand years come to 4·10^14.
	maxEarned = 1_000_000
)

// Earning is what one play earns of one currency.
type Earning struct {
	Currency string
	Amount   int64
}

// Currencies are all that a game has, in the order of the file; most have none.
type Currencies []Currency

// CurrenciesOf returns the currencies of a game.
func CurrenciesOf(g *game.Game) Currencies { return game.RulesOf[Currencies](g) }

// Earned is what one accepted play of a mode earns, in the order of the file.
func (all Currencies) Earned(m *game.Mode) []Earning {
	var earned []Earning
	for _, c := range all {
		if amount := c.Plays[m.Name]; amount > 0 {
			earned = append(earned, Earning{c.Name, amount})
		}
	}
	return earned
}

// Named finds a currency by its name.
func (all Currencies) Named(name string) (Currency, bool) {
	i := slices.IndexFunc(all, func(c Currency) bool { return c.Name == name })
	if i < 0 {
		return Currency{}, false
	}
	return all[i], true
}

// EarnedBy lists those of some modes that earn the currency.
func (c Currency) EarnedBy(modes []*game.Mode) []*game.Mode {
	return slices.DeleteFunc(slices.Clone(modes), func(m *game.Mode) bool { return c.Plays[m.Name] == 0 })
}

// Complete names modes as keys do, and marks those whose plays are counted.
func (all Currencies) Complete(g *game.Game) game.FeatureRules {
	all = slices.Clone(all)
	for i, currency := range all {
		plays := make(map[string]int64, len(currency.Plays))
		for mode, amount := range currency.Plays {
			if m, ok := g.ModeCalled(mode); ok {
				mode = m.Name
			}
			plays[mode] = amount
		}
		all[i].Plays = plays
	}
	for _, m := range g.Modes {
		m.Earns = len(all.Earned(m)) > 0
	}
	return all
}

// Check reports what is wrong with currencies.
func (all Currencies) Check(g *game.Game, c *game.Checker) {
	if len(all) > MaxCurrencies {
		c.Add("currencies", fmt.Sprintf("%d are too many", len(all)), fmt.Sprintf("use up to %d", MaxCurrencies))
		return
	}
	for _, currency := range all {
		path := fmt.Sprintf("currencies.%.50s", currency.Name)
		if !game.ValidName(currency.Name) {
			c.Add(path, fmt.Sprintf("%.50q is not a name", currency.Name), game.NameForm)
			continue
		}
		if len(currency.Plays) == 0 {
			c.Add(path, "nothing earns it", "name modes and what one play of each earns, as in {daily_frame: 1}")
		}
		for _, mode := range slices.Sorted(maps.Keys(currency.Plays)) {
			at := path + "." + mode
			if _, ok := g.Mode(mode); !ok {
				c.Add(at, "the game has no such mode", "use one of the game's modes", "modes")
			}
			if m, ok := g.Mode(mode); ok && m.Renamed != "" {
				at = path + "." + m.Renamed
			}
			c.Within(at, float64(currency.Plays[mode]), 1, maxEarned)
		}
	}
}

// EarnedDayKey is a sorted set of one currency and day: player -> the part of [EarnedKey] that
// comes from the day.
func EarnedDayKey(currency string, d game.Date) string {
	return "earned:" + currency + ":" + d.String()
}

// EarnedKey is a sorted set: player -> what all days that were taken in have earned.
func EarnedKey(currency string) string { return "earned:" + currency }

// SpentKey is a sorted set: player -> what the player has spent of a currency.
func SpentKey(currency string) string { return "spent:" + currency }

// SpendsKey is a stream of what was spent, on its way to the archive.
const SpendsKey = "spends"

// PlayerKeys are what players have earned and spent.
func (all Currencies) PlayerKeys(days []game.Date, _ time.Time) (keys []string) {
	for _, c := range all {
		keys = append(keys, EarnedKey(c.Name), SpentKey(c.Name))
		for _, d := range days {
			keys = append(keys, EarnedDayKey(c.Name, d))
		}
	}
	return keys
}
