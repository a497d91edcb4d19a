package gamefile

import "github.com/framedle/leaderboards/internal/game"

var budgetKey = key{name: "budget", kind: mapping, usual: off, words: []string{off}, text: "a [budget](../operate/budget.md) of commands, and when to degrade", keys: []key{
	{name: "month", kind: number, need: "use how many commands a month may cost, such as 500000, or budget: off", min: "1000", max: "1000000000000",
		text: "billed commands of a calendar month, UTC"},
	{name: "degrade", kind: mapping, text: "at which pace, in percent of the budget, each measure begins", keys: []key{
		{name: "caches", kind: percent, usual: "80%", words: []string{off}, min: "1%", max: "1000%", text: "older public pages"},
		{name: "refresh", kind: percent, usual: "90%", words: []string{off}, min: "1%", max: "1000%", text: "derived boards rebuilt less often"},
		{name: "features", kind: percent, usual: "100%", words: []string{off}, min: "1%", max: "1000%", text: "less on cards"},
	}},
}}

func readBudget(v value, g *game.Game) {
	if !v.given() || v.is(off) {
		return
	}
	f := v.fields()
	if v.bad[v.path] {
		return
	}
	degrade := f.field("degrade").fields()
	g.Budget = game.Budget{
		Month:    f.field("month").number(),
		Caches:   degrade.field("caches").percent(),
		Refresh:  degrade.field("refresh").percent(),
		Features: degrade.field("features").percent(),
	}
}
