package wallet

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.RegisterTable(ruleset.Table{
		Key: "currencies", Values: describe,
		Changed: ruleset.Consequence{Effect: ruleset.Forward, Why: "closed days keep what they gave; open ones give the new amounts"},
		Added:   ruleset.Consequence{Effect: ruleset.Safe, Why: "open days and all later ones earn it"},
		Removed: ruleset.Consequence{Effect: ruleset.Forward, Why: "players keep their balances, and no endpoint shows or spends them"},
	})
}

var key = gamefile.Key{
	Name: "currencies", Kind: gamefile.Table, Pattern: gamefile.NameForm, Max: "8", Holds: "up to 8, each with what one play of a mode earns: `{coins: {time_15: 1, time_30: 2}}`",
	Text: "currencies that accepted plays earn: see [Wallets](../build/wallets.md)", Of: &gamefile.Key{
		Name: "currency", Kind: gamefile.Table, Min: "1", Text: "what earns the currency, by the name of a mode", Of: &gamefile.Key{
			Name: "mode", Kind: gamefile.Number, Min: "1", Max: "1000000", Text: "what one play of the mode earns",
		},
	},
}

func read(v gamefile.Value, g *game.Game) {
	var all Currencies
	names, values := v.Entries()
	for i, name := range names {
		c := Currency{Name: name, Plays: map[string]int64{}}
		modes, amounts := values[i].Entries()
		for j, mode := range modes {
			c.Plays[mode] = amounts[j].Number()
		}
		if len(modes) == 0 && !values[i].Bad() {
			values[i].ReportAtKey("nothing earns it", fmt.Sprintf("name modes and what one play of each earns, as in %s: {daily_frame: 1}", name))
		}
		all = append(all, c)
	}
	if len(all) > 0 {
		g.Features = append(g.Features, all)
	}
}

// describe has the text of each currency, by which two versions of the rules are compared.
func describe(g *game.Game) map[string]string {
	all := map[string]string{}
	for _, c := range CurrenciesOf(g) {
		var earned []string
		for _, m := range c.EarnedBy(g.Modes) {
			earned = append(earned, fmt.Sprintf("%s: %d", m.Name, c.Plays[m.Name]))
		}
		all[c.Name] = strings.Join(earned, ", ")
	}
	return all
}
