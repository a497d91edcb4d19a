package gamefile

import "github.com/framedle/leaderboards/internal/game"

var budgetKey = key{name: "budget", kind: mapping, usual: off, words: []string{off}, text: "what a month may cost. If a month becomes dearer, the product saves commands by itself: see [Budget](../operate/budget.md)", keys: []key{
	{name: "month", kind: number, need: "use how many commands a month may cost, such as 500000, or budget: off", min: "1000", max: "1000000000000",
		text: "billed commands of a calendar month, UTC"},
	{name: "degrade", kind: mapping, text: "the pace, in percent of the budget, at which each measure begins", keys: []key{
		{name: "caches", kind: percent, usual: "80%", words: []string{off}, min: "1%", max: "1000%", text: "the pace at which public pages may be older"},
		{name: "refresh", kind: percent, usual: "90%", words: []string{off}, min: "1%", max: "1000%", text: "the pace at which derived boards are rebuilt less often"},
		{name: "features", kind: percent, usual: "100%", words: []string{off}, min: "1%", max: "1000%", text: "the pace at which cards have less in them"},
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
