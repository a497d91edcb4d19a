package gamefile

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// readDecay reads off, or how much less older days count on the board of all time.
func readDecay(r *reader, v value, decimals int) *game.DecayRule {
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.MappingNode {
		choice(r, v, "a decay", off, off)
		return nil
	}
	f := r.section(v, "factor", "every", "floor", "keep")
	if f.field("factor").node == nil {
		r.missing(f.field("factor"), "use what is left of a score each time, as 0.95")
	}
	choice(r, f.field("keep"), "what is kept", "base", "base")
	rule := &game.DecayRule{Factor: r.number(f.field("factor"), 6, 0)}
	const day = 24 * time.Hour
	every := r.duration(f.field("every"), day)
	if every%day != 0 {
		r.add(f.field("every").node.Line, f.field("every").path, every.String()+" are no whole days", "use whole days, as 1d or 7d")
		every = day
	}
	rule.Every = int(every / day)
	if decimals >= 0 && decimals <= game.MaxDecimals {
		rule.Floor = game.Score(r.number(f.field("floor"), decimals, 0))
	}
	return rule
}
