package world

import (
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.Register(ruleset.Rule{Key: "world", Value: describe, Consequence: ruleset.Consequence{
		Effect: ruleset.Safe, Why: "merged boards start with the next merge; those no longer merged stay until they expire",
	}})
}

var key = gamefile.Key{Name: "world", Kind: gamefile.Mapping, Default: gamefile.Off, Words: []string{gamefile.Off}, Text: "which boards several [sites](../operate/world.md) merge. `world: {}` has the defaults", Keys: []gamefile.Key{
	{Name: "top", Kind: gamefile.Number, Default: "10000", Min: "100", Max: "10000", Text: "how many entries of each board"},
	{Name: "periods", Kind: gamefile.List, Absent: "all", Advice: "use a list of periods, or leave it out for all", Min: "1", Distinct: true, Text: "boards of which periods",
		Of: &gamefile.Key{Kind: gamefile.Choice, Noun: "a period", Advice: "use a text", Words: []string{"day", "week", "month", "season", "alltime"}}},
	{Name: "modes", Kind: gamefile.List, Absent: "all", Advice: "use a list of modes, or leave it out for all", Holds: "names of modes", Distinct: true, Text: "boards of which modes",
		Of: &gamefile.Key{Advice: "use a text", Pattern: gamefile.NameForm}},
}}

func read(v gamefile.Value, g *game.Game) {
	if !v.Given() || v.Is(gamefile.Off) {
		return
	}
	f := v.Fields()
	rules := &Rules{Top: f.Field("top").Number(), Periods: slices.Clone(Periods), Modes: gamefile.Each(f.Field("modes"), gamefile.Value.Text)}
	if periods := f.Field("periods"); periods.Given() {
		rules.Periods = gamefile.Each(periods, func(item gamefile.Value) game.PeriodKind {
			k, _ := game.ParsePeriodKind(item.Text())
			return k
		})
	}
	g.Features = append(g.Features, rules)
}

// describe is the text by which two versions of the rules are compared.
func describe(g *game.Game) string {
	w := RulesOf(g)
	if w == nil {
		return "" // as for games that were accepted before the key existed
	}
	return fmt.Sprintf("%d %v %v", w.Top, w.Periods, w.Modes)
}
