// Package webhook has the rules of outgoing webhooks: which programs get messages of which events.
// It is in every function, since each reads the game file; package webhookstore sends.
package webhook

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func init() {
	gamefile.Register(gamefile.Section{Key: key, Read: read})
	ruleset.Register(ruleset.Rule{
		Key: "webhooks", Value: func(g *game.Game) string { return fmt.Sprintf("%v", EndpointsOf(g)) },
		Consequence: ruleset.Consequence{Effect: ruleset.Safe, Why: "events go to the endpoints that the file names; a removed one gets no more, not even pending events"},
	})
}

var key = gamefile.Key{
	Name: "webhooks", Kind: gamefile.Table, Pattern: gamefile.NameForm, Min: "1", Max: "8", Holds: "up to 8, by name",
	Text: "[outgoing webhooks](../build/webhooks-out.md)", Of: &gamefile.Key{
		Name: "name", Kind: gamefile.Mapping, Keys: []gamefile.Key{
			{Name: "url", Required: "say where its events are sent", Advice: "use an address, such as https://shop.example.com/hooks", Pattern: "^https?://", Max: "500", Holds: "an https address",
				Text: "the endpoint; http only on the same machine"},
			{Name: "events", Kind: gamefile.List, Required: "use a list such as [period.closed, badge.given]", Advice: "use a list such as [period.closed, badge.given]", Min: "1",
				Text: "events to send",
				Of:   &gamefile.Key{Kind: gamefile.Choice, Advice: "use a text", Words: []string{"period.closed", "season.closed", "badge.given", "league.rolled"}}},
			{Name: "private", Kind: gamefile.Boolean, Default: "false", Text: "its address may be outside the public internet"},
		},
	},
}

func read(v gamefile.Value, g *game.Game) {
	names, values := v.Entries()
	if v.IsMapping() && len(names) == 0 {
		v.Report("there are none", "declare one, as in shop: {url: https://shop.example.com/hooks, events: [period.closed]}, or leave webhooks out")
	}
	var all Endpoints
	for i, name := range names {
		f := values[i].Fields()
		if values[i].Bad() {
			continue
		}
		w := Endpoint{Name: name, URL: f.Field("url").Text(), Private: f.Field("private").Flag()}
		w.Events = gamefile.Each(f.Field("events"), func(item gamefile.Value) game.Happening { return game.Happening(item.Text()) })
		all = append(all, w)
	}
	if len(all) > 0 {
		g.Features = append(g.Features, all)
	}
}
