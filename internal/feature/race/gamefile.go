package race

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.Register(ruleset.Rule{Key: "races", Value: describe, Consequence: ruleset.Consequence{
		Effect: ruleset.Forward, Why: "races that have started keep their time",
	}})
}

var key = gamefile.Key{Name: "races", Kind: gamefile.Mapping, Default: gamefile.Off, Words: []string{gamefile.Off}, Text: "[races](../build/races.md), in modes with plays. `races: {}` has the defaults", Keys: []gamefile.Key{
	{Name: "players", Kind: gamefile.Number, Default: "5", Min: "2", Max: "5", Text: "most players of a race from the queue"},
	{Name: "wait", Kind: gamefile.Duration, Default: "15s", Min: "0s", Max: "10m", Text: "how long after the second player a race waits for more"},
	{Name: "invite", Kind: gamefile.Duration, Default: "10m", Min: "1m", Max: "1d", Text: "how long a race waits for a second player"},
	{Name: "silent", Kind: gamefile.Duration, Default: "15s", Min: "5s", Max: "5m", Text: "a player who sends nothing for so long is out"},
	{Name: "timeout", Kind: gamefile.Duration, Default: "1m", Min: "5s", Max: "1h", Text: "how long after the challenge's seconds the race waits for results"},
	{Name: "keep", Kind: gamefile.Duration, Default: "7d", Min: "2d", Max: "30d", Text: "how long Redis keeps a race"},
}}

func read(v gamefile.Value, g *game.Game) {
	if !v.Given() || v.Is(gamefile.Off) {
		return
	}
	f := v.Fields()
	g.Features = append(g.Features, &Rules{
		Players: f.Field("players").Int(),
		Wait:    f.Field("wait").Duration(),
		Invite:  f.Field("invite").Duration(),
		Silent:  f.Field("silent").Duration(),
		Timeout: f.Field("timeout").Duration(),
		Keep:    f.Field("keep").Duration(),
	})
}

// describe is the text by which two versions of the rules are compared.
func describe(g *game.Game) string {
	r := RulesOf(g)
	if r == nil {
		return gamefile.Off
	}
	return fmt.Sprintf("%v", *r)
}
