package league

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.Register(ruleset.Rule{Key: "leagues", Value: describe, Consequence: ruleset.Consequence{
		Effect: ruleset.Forward, Why: "cohorts of the current week keep their players; past weeks keep their results",
	}})
}

var key = gamefile.Key{Name: "leagues", Kind: gamefile.Mapping, Default: gamefile.Off, Words: []string{gamefile.Off}, Text: "weekly [leagues](../build/leagues.md). `leagues: {}` has the defaults", Keys: []gamefile.Key{
	{Name: "tiers", Kind: gamefile.List, Absent: "ten, from Bronze to Diamond", Advice: "use a list of names, the lowest tier first", Min: "1", Max: "20", Distinct: true,
		Holds: "1 to 20 names of up to 60 bytes", Text: "the tiers, the lowest first", Of: &gamefile.Key{Advice: "use a text", Min: "1", Max: "60"}},
	{Name: "size", Kind: gamefile.Number, Default: "30", Min: "2", Max: "30", Text: "players of a full cohort"},
	{Name: "promote", Kind: gamefile.Number, Default: "7", Min: "0", Max: "30", Text: "players of a full cohort who are promoted; with `relegate` at most `size`"},
	{Name: "relegate", Kind: gamefile.Number, Default: "5", Min: "0", Max: "30", Text: "players of a full cohort who are relegated"},
	{Name: "pace", Kind: gamefile.List, Default: "[]", Advice: "use a list of XP, such as [500, 2000]", Max: "7", Distinct: true, Holds: "up to 7 ascending numbers",
		Text: "bounds by which players are grouped by XP of their last week", Of: &gamefile.Key{Kind: gamefile.Number, Min: "1", Max: "1000000000"}},
	{Name: "rewards", Kind: gamefile.List, Default: "[]", Advice: "use a list of rewards, that of the first place first", Max: "30",
		Holds: "up to 30 texts of up to 60 bytes", Text: "rewards by place, the first place first", Of: &gamefile.Key{Advice: "use a text", Min: "1", Max: "60"}},
}}

func read(v gamefile.Value, g *game.Game) {
	if !v.Given() || v.Is(gamefile.Off) {
		return
	}
	f := v.Fields()
	rules := &Rules{
		Tiers:    DefaultRules().Tiers,
		Size:     f.Field("size").Int(),
		Promote:  f.Field("promote").Int(),
		Relegate: f.Field("relegate").Int(),
		Pace:     gamefile.Each(f.Field("pace"), gamefile.Value.Number),
		Rewards:  gamefile.Each(f.Field("rewards"), gamefile.Value.Text),
	}
	if tiers := f.Field("tiers"); tiers.Given() {
		rules.Tiers = gamefile.Each(tiers, gamefile.Value.Text)
	}
	g.Features = append(g.Features, rules)
}

// describe is the text by which two versions of the rules are compared.
func describe(g *game.Game) string {
	l := RulesOf(g)
	if l == nil {
		return gamefile.Off
	}
	return fmt.Sprintf("%q %d %d %d %v %q", l.Tiers, l.Size, l.Promote, l.Relegate, l.Pace, l.Rewards)
}
