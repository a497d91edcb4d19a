package ruleset

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

const currencyPrefix = "currencies."

var (
	currencyChanged = forward("days that are closed keep what they gave, those that are not give the new amounts")
	currencyWent    = forward("what players have of it stays, and no address shows it or spends it")
)

// currenciesInto adds one rule for each currency. A game without currencies has the same rules
// as before there were any.
func currenciesInto(r Rules, g *game.Game) {
	for _, c := range g.Currencies {
		var earned []string
		for _, m := range c.EarnedBy(g.Modes) {
			earned = append(earned, fmt.Sprintf("%s: %d", m.Name, c.Plays[m.Name]))
		}
		r[currencyPrefix+c.Name] = strings.Join(earned, ", ")
	}
}

func currencyCame(path, now string) Change {
	return Change{Path: path, New: now, Effect: Safe, Why: "the days that are not closed earn it, and all after them"}
}
