package gamefile

import "github.com/framedle/leaderboards/internal/game"

var webhooksKey = key{
	name: "webhooks", kind: table, form: nameForm, min: "1", max: "8", holds: "up to 8, by name",
	text: "[outgoing webhooks](../build/webhooks-out.md)", of: &key{
		name: "name", kind: mapping, keys: []key{
			{name: "url", need: "say where its events are sent", want: "use an address, such as https://shop.example.com/hooks", form: "^https?://", max: "500", holds: "an https address",
				text: "the endpoint; http only on the same machine"},
			{name: "events", kind: list, need: "use a list such as [period.closed, badge.given]", want: "use a list such as [period.closed, badge.given]", min: "1",
				text: "events to send",
				of:   &key{kind: choice, want: "use a text", words: []string{"period.closed", "season.closed", "badge.given", "league.rolled"}}},
			{name: "private", kind: boolean, usual: "false", text: "its address may be outside the public internet"},
		},
	},
}

func readWebhooks(v value, g *game.Game) {
	names, values := v.entries()
	if v.isMapping() && len(names) == 0 {
		v.report("there are none", "declare one, as in shop: {url: https://shop.example.com/hooks, events: [period.closed]}, or leave webhooks out")
	}
	for i, name := range names {
		f := values[i].fields()
		if v.bad[values[i].path] {
			continue
		}
		w := game.Webhook{Name: name, URL: f.field("url").text(), Private: f.field("private").flag()}
		w.Events = each(f.field("events"), func(item value) game.Happening { return game.Happening(item.text()) })
		g.Webhooks = append(g.Webhooks, w)
	}
}
