package gamefile

import "github.com/framedle/leaderboards/internal/game"

var leaguesKey = key{name: "leagues", kind: mapping, usual: off, words: []string{off}, text: "weekly [leagues](../build/leagues.md). `leagues: {}` has the defaults", keys: []key{
	{name: "tiers", kind: list, otherwise: "ten, from Bronze to Diamond", want: "use a list of names, the lowest tier first", min: "1", max: "20", distinct: true,
		holds: "1 to 20 names of up to 60 bytes", text: "the tiers, the lowest first", of: &key{want: "use a text", min: "1", max: "60"}},
	{name: "size", kind: number, usual: "30", min: "2", max: "30", text: "players of a full cohort"},
	{name: "promote", kind: number, usual: "7", min: "0", max: "30", text: "players of a full cohort who are promoted; with `relegate` at most `size`"},
	{name: "relegate", kind: number, usual: "5", min: "0", max: "30", text: "players of a full cohort who are relegated"},
	{name: "pace", kind: list, usual: "[]", want: "use a list of XP, such as [500, 2000]", max: "7", distinct: true, holds: "up to 7 ascending numbers",
		text: "bounds by which players are grouped by XP of their last week", of: &key{kind: number, min: "1", max: "1000000000"}},
	{name: "rewards", kind: list, usual: "[]", want: "use a list of rewards, that of the first place first", max: "30",
		holds: "up to 30 texts of up to 60 bytes", text: "rewards by place, the first place first", of: &key{want: "use a text", min: "1", max: "60"}},
}}

func readLeagues(v value, g *game.Game) {
	if !v.given() || v.is(off) {
		return
	}
	f := v.fields()
	g.Leagues = &game.Leagues{
		Tiers:    game.DefaultLeagues().Tiers,
		Size:     f.field("size").int(),
		Promote:  f.field("promote").int(),
		Relegate: f.field("relegate").int(),
		Pace:     each(f.field("pace"), value.number),
		Rewards:  each(f.field("rewards"), value.text),
	}
	if tiers := f.field("tiers"); tiers.given() {
		g.Leagues.Tiers = each(tiers, value.text)
	}
}
