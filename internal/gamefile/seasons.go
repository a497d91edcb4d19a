package gamefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// seasons reads a list of names with their first and last days.
func (r *reader) seasons(v value) []game.SeasonDays {
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		r.wrongType(v, "use a list, each with name, first and last")
		return nil
	}
	if len(v.node.Content) == 0 {
		return nil
	}
	all := make([]game.SeasonDays, len(v.node.Content))
	for i, node := range v.node.Content {
		item := value{node, fmt.Sprintf("%s[%d]", v.path, i)}
		r.lines[item.path] = node.Line
		f := r.section(item, "name", "first", "last")
		if !r.bad[item.path] {
			for _, needed := range []struct{ key, want string }{
				{"name", "use a name such as spring_2026"}, {"first", "use the first day, such as 2026-03-01"}, {"last", "use the last day, such as 2026-05-31"},
			} {
				if f.field(needed.key).node == nil {
					r.missing(f.field(needed.key), needed.want)
				}
			}
		}
		if r.bad[item.path] {
			r.bad[f.field("name").path], r.bad[f.field("first").path], r.bad[f.field("last").path] = true, true, true
		}
		all[i] = game.SeasonDays{
			Name:  r.text(f.field("name"), "", "use a name such as spring_2026"),
			First: r.date(f.field("first")),
			Last:  r.date(f.field("last")),
		}
	}
	return all
}

// date reads YYYY-MM-DD, which YAML takes for a point in time unless it is quoted.
func (r *nodes) date(v value) game.Date {
	const want = "use a date, such as 2026-03-01"
	if !r.scalar(v, want, "!!timestamp", "!!str") {
		return game.Date{}
	}
	d, err := game.ParseDate(v.node.Value)
	if err != nil {
		r.add(v.node.Line, v.path, fmt.Sprintf("%.40q is not a date", v.node.Value), want)
	}
	return d
}
