package gamefile

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

var worldKey = key{name: "world", kind: mapping, usual: off, words: []string{off}, text: "which boards several [sites](../operate/world.md) merge. `world: {}` has the defaults", keys: []key{
	{name: "top", kind: number, usual: "10000", min: "100", max: "10000", text: "how many entries of each board"},
	{name: "periods", kind: list, otherwise: "all", want: "use a list of periods, or leave it out for all", min: "1", distinct: true, text: "boards of which periods",
		of: &key{kind: choice, noun: "a period", want: "use a text", words: []string{"day", "week", "month", "season", "alltime"}}},
	{name: "modes", kind: list, otherwise: "all", want: "use a list of modes, or leave it out for all", holds: "names of modes", distinct: true, text: "boards of which modes",
		of: &key{want: "use a text", form: nameForm}},
}}

func readWorld(v value, g *game.Game) {
	if !v.given() || v.is(off) {
		return
	}
	f := v.fields()
	g.World = &game.World{Top: f.field("top").number(), Periods: slices.Clone(game.WorldPeriods), Modes: each(f.field("modes"), value.text)}
	if periods := f.field("periods"); periods.given() {
		g.World.Periods = each(periods, func(item value) game.PeriodKind {
			k, _ := game.ParsePeriodKind(item.text())
			return k
		})
	}
}
