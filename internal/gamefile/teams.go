package gamefile

import (
	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// teams reads sum, off, or how many of the best members make a team.
func (r *reader) teams(v value) game.TeamRule {
	if v.node == nil {
		return game.TeamRule{}
	}
	if v.node.Kind != yaml.MappingNode {
		word := choice(r, v, "a way to rank groups", off, off, game.Sum)
		return game.TeamRule{Sum: word == game.Sum}
	}
	f := r.section(v, "best")
	if f.field("best").node == nil {
		r.missing(f.field("best"), "use how many of the best members count, such as 5")
	}
	best := f.field("best")
	n := int(r.number(best, 0, 0))
	if n == 0 && !r.bad[best.path] { // in a game, 0 means off
		r.add(best.node.Line, best.path, "0 is out of range", "use 1 or more")
	}
	return game.TeamRule{Best: n}
}
