package game

import (
	"fmt"
	"maps"
	"slices"
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

// Earned is what one accepted play of a mode earns, in the order of the file.
func (all Currencies) Earned(m *Mode) []Earning {
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
func (c Currency) EarnedBy(modes []*Mode) []*Mode {
	return slices.DeleteFunc(slices.Clone(modes), func(m *Mode) bool { return c.Plays[m.Name] == 0 })
}

// byTheirNames returns currencies that know modes by their names in keys and rows.
func byTheirNames(g *Game, described Currencies) Currencies {
	all := slices.Clone(described)
	for i, c := range described {
		all[i].Plays = make(map[string]int64, len(c.Plays))
		for mode, amount := range c.Plays {
			if m, ok := g.ModeCalled(mode); ok {
				mode = m.Name
			}
			all[i].Plays[mode] = amount
		}
	}
	return all
}

func (c *checker) currencies(g *Game) {
	if len(g.Currencies) > MaxCurrencies {
		c.add("currencies", fmt.Sprintf("%d are too many", len(g.Currencies)), fmt.Sprintf("use up to %d", MaxCurrencies))
		return
	}
	for _, currency := range g.Currencies {
		path := fmt.Sprintf("currencies.%.50s", currency.Name)
		if !validName(currency.Name) {
			c.add(path, fmt.Sprintf("%.50q is not a name", currency.Name), nameForm)
			continue
		}
		if len(currency.Plays) == 0 {
			c.add(path, "nothing earns it", "name modes and what one play of each earns, as in {daily_frame: 1}")
		}
		for _, mode := range slices.Sorted(maps.Keys(currency.Plays)) {
			at := path + "." + mode
			if _, ok := g.Mode(mode); !ok {
				c.add(at, "the game has no such mode", "use one of the game's modes", "modes")
			}
			if m, ok := g.Mode(mode); ok && m.Renamed != "" {
				at = path + "." + m.Renamed
			}
			c.within(at, float64(currency.Plays[mode]), 1, maxEarned)
		}
	}
}

// Counts reports whether each accepted play of a mode earns by itself, and so has to be counted
// in [PlaysKey]. This is so in modes in which each play needs a token of its own, since then no
// play can be sent twice. In other modes a player's entry of a day earns once.
func (all Currencies) Counts(m *Mode) bool { return m.NeedsPlay && len(all.Earned(m)) > 0 }
