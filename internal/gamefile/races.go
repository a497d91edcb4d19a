package gamefile

import "github.com/framedle/leaderboards/internal/game"

var racesKey = key{name: "races", kind: mapping, usual: off, words: []string{off}, text: "[races](../build/races.md), in modes with plays. `races: {}` has the defaults", keys: []key{
	{name: "players", kind: number, usual: "5", min: "2", max: "5", text: "most players of a race from the queue"},
	{name: "wait", kind: duration, usual: "15s", min: "0s", max: "10m", text: "how long after the second player a race waits for more"},
	{name: "invite", kind: duration, usual: "10m", min: "1m", max: "1d", text: "how long a race waits for a second player"},
	{name: "silent", kind: duration, usual: "15s", min: "5s", max: "5m", text: "a player who sends nothing for so long is out"},
	{name: "timeout", kind: duration, usual: "1m", min: "5s", max: "1h", text: "how long after the challenge's seconds the race waits for results"},
	{name: "keep", kind: duration, usual: "7d", min: "2d", max: "30d", text: "how long Redis keeps a race"},
}}

func readRaces(v value, g *game.Game) {
	if !v.given() || v.is(off) {
		return
	}
	f := v.fields()
	g.Races = &game.Races{
		Players: f.field("players").int(),
		Wait:    f.field("wait").duration(),
		Invite:  f.field("invite").duration(),
		Silent:  f.field("silent").duration(),
		Timeout: f.field("timeout").duration(),
		Keep:    f.field("keep").duration(),
	}
}
