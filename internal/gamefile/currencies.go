package gamefile

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

var currenciesKey = key{
	name: "currencies", kind: table, form: nameForm, max: "8", holds: "up to 8, each with what one play of a mode earns: `{coins: {time_15: 1, time_30: 2}}`",
	text: "currencies that accepted plays earn: see [Wallets](../build/wallets.md)", of: &key{
		name: "currency", kind: table, min: "1", text: "what earns the currency, by the name of a mode", of: &key{
			name: "mode", kind: number, min: "1", max: "1000000", text: "what one play of the mode earns",
		},
	},
}

func readCurrencies(v value, g *game.Game) {
	names, values := v.entries()
	for i, name := range names {
		c := game.Currency{Name: name, Plays: map[string]int64{}}
		modes, amounts := values[i].entries()
		for j, mode := range modes {
			c.Plays[mode] = amounts[j].number()
		}
		if len(modes) == 0 && !v.bad[values[i].path] {
			v.add(v.lines[values[i].path], values[i].path, "nothing earns it", fmt.Sprintf("name modes and what one play of each earns, as in %s: {daily_frame: 1}", name))
		}
		g.Currencies = append(g.Currencies, c)
	}
}
