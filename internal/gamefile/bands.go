package gamefile

import (
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// readBands reads on, off, or how many players a board must have to get bands and how large
// these become.
func readBands(r *reader, v value) *game.BandsRule {
	if v.node == nil {
		return nil
	}
	rule := &game.BandsRule{From: game.DefaultBand, Most: game.DefaultBand}
	if v.node.Kind != yaml.MappingNode {
		if choice(r, v, "when there are bands", off, off, "on") == off {
			return nil
		}
		return rule
	}
	f := r.section(v, "from", "most")
	rule.From = r.number(f.field("from"), 0, rule.From)
	rule.Most = r.number(f.field("most"), 0, rule.Most)
	return rule
}
