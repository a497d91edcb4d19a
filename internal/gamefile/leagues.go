package gamefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// readLeagues reads the rules of leagues, nil if the game has none.
func readLeagues(r *reader, v value) *game.Leagues {
	if v.node == nil || v.node.Value == off {
		return nil
	}
	d := game.DefaultLeagues()
	f := r.section(v, "tiers", "size", "promote", "relegate", "pace", "rewards")
	l := &game.Leagues{
		Tiers:    d.Tiers,
		Size:     int(r.number(f.field("size"), 0, int64(d.Size))),
		Promote:  int(r.number(f.field("promote"), 0, int64(d.Promote))),
		Relegate: int(r.number(f.field("relegate"), 0, int64(d.Relegate))),
		Pace:     wholeNumbers(r, f.field("pace"), "use a list of XP, such as [500, 2000]"),
	}
	if tiers := f.field("tiers"); tiers.node != nil {
		l.Tiers = r.texts(tiers, "use a list of names, the lowest tier first")
	}
	if rewards := f.field("rewards"); rewards.node != nil {
		l.Rewards = r.texts(rewards, "use a list of rewards, that of the first place first")
	}
	return l
}

// wholeNumbers reads a list of numbers.
func wholeNumbers(r *reader, v value, want string) (all []int64) {
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		r.wrongType(v, want)
		return nil
	}
	for i, node := range v.node.Content {
		item := value{node, fmt.Sprintf("%s[%d]", v.path, i)}
		r.lines[item.path] = node.Line
		if all = append(all, r.number(item, 0, 0)); r.bad[item.path] {
			r.bad[v.path] = true // the list is not whole
		}
	}
	return all
}
