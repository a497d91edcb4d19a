package gamefile

import "github.com/framedle/leaderboards/internal/game"

var seasonsKey = key{
	name: "seasons", kind: list, usual: "[]", max: "100", want: "use a list, each with name, first and last", holds: "up to 100 seasons",
	text: "[periods of your own](#seasons)", of: &key{kind: mapping, keys: []key{
		{name: "name", need: "use a name such as spring_2026", want: "use a name such as spring_2026", form: nameForm, text: "the season's name, which is never used again"},
		{name: "first", kind: date, need: "use the first day, such as 2026-03-01", text: "its first day"},
		{name: "last", kind: date, need: "use the last day, such as 2026-05-31", text: "its last day, of at most 366"},
	}},
}

func readSeasons(v value, g *game.Game) {
	for _, item := range v.items() {
		f := item.fields()
		name, first, last := f.field("name"), f.field("first"), f.field("last")
		if v.bad[item.path] {
			v.bad[name.path], v.bad[first.path], v.bad[last.path] = true, true, true
		}
		g.Seasons = append(g.Seasons, game.SeasonDays{Name: name.text(), First: first.date(), Last: last.date()})
	}
}
