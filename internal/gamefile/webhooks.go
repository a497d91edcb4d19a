package gamefile

import (
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// readWebhooks reads which programs get messages about which events.
func readWebhooks(r *reader, v value) game.Webhooks {
	names, values := r.entries(v)
	if v.node != nil && v.node.Kind == yaml.MappingNode && len(names) == 0 {
		r.add(v.node.Line, v.path, "there are none", "declare one, as in shop: {url: https://shop.example.com/hooks, events: [period.closed]}, or leave webhooks out")
	}
	var all game.Webhooks
	for i, name := range names {
		f := r.section(values[i], "url", "events", "private")
		if r.bad[values[i].path] {
			continue
		}
		for _, key := range []string{"url", "events"} {
			if f.field(key).node == nil {
				r.missing(f.field(key), map[string]string{"url": "say where it is told", "events": "use a list such as [period.closed, badge.given]"}[key])
			}
		}
		w := game.Webhook{
			Name: name, URL: r.text(f.field("url"), "", "use an address, such as https://shop.example.com/hooks"),
			Private: r.flag(f.field("private")),
		}
		if events := f.field("events"); events.node != nil {
			for _, kind := range r.texts(events, "use a list such as [period.closed, badge.given]") {
				w.Events = append(w.Events, game.Happening(kind))
			}
		}
		all = append(all, w)
	}
	return all
}
