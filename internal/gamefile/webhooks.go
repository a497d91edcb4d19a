package gamefile

import "github.com/framedle/leaderboards/internal/game"

var webhooksKey = Key{
	Name: "webhooks", Kind: Table, Pattern: NameForm, Min: "1", Max: "8", Holds: "up to 8, by name",
	Text: "[outgoing webhooks](../build/webhooks-out.md)", Of: &Key{
		Name: "name", Kind: Mapping, Keys: []Key{
			{Name: "url", Required: "say where its events are sent", Advice: "use an address, such as https://shop.example.com/hooks", Pattern: "^https?://", Max: "500", Holds: "an https address",
				Text: "the endpoint; http only on the same machine"},
			{Name: "events", Kind: List, Required: "use a list such as [period.closed, badge.given]", Advice: "use a list such as [period.closed, badge.given]", Min: "1",
				Text: "events to send",
				Of:   &Key{Kind: Choice, Advice: "use a text", Words: []string{"period.closed", "season.closed", "badge.given", "league.rolled"}}},
			{Name: "private", Kind: Boolean, Default: "false", Text: "its address may be outside the public internet"},
		},
	},
}

func readWebhooks(v Value, g *game.Game) {
	names, values := v.Entries()
	if v.isMapping() && len(names) == 0 {
		v.Report("there are none", "declare one, as in shop: {url: https://shop.example.com/hooks, events: [period.closed]}, or leave webhooks out")
	}
	for i, name := range names {
		f := values[i].Fields()
		if v.bad[values[i].path] {
			continue
		}
		w := game.Webhook{Name: name, URL: f.Field("url").Text(), Private: f.Field("private").Flag()}
		w.Events = Each(f.Field("events"), func(item Value) game.Happening { return game.Happening(item.Text()) })
		g.Webhooks = append(g.Webhooks, w)
	}
}
