package gamefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// values reads the list of what a mode ranks by if that is several numbers.
func (r modeReader) values(mode section, order game.Order) []game.Value {
	const want = "use a list of values, as in [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]"
	v := mode.field("score")
	if v.node == nil {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		r.wrongType(v, want)
		return nil
	}
	if len(v.node.Content) == 0 {
		r.add(v.node.Line, v.path, "there is nothing in it", want)
		return nil
	}
	values := make([]game.Value, len(v.node.Content))
	for i, node := range v.node.Content {
		item := value{node, fmt.Sprintf("%s[%d]", v.path, i)}
		r.lines[item.path] = node.Line
		before := len(r.found)
		values[i] = r.value(item, order)
		if len(r.found) > before {
			r.bad[v.path] = true // the values cannot be combined
		}
	}
	for _, key := range []string{"decimals", "min", "max", "day_min", "day_max"} {
		if own := mode.field(key); own.node != nil {
			r.add(r.lines[own.path], own.path, "the mode ranks by several values, and each has its own", "leave it out, and write it to the values of score")
		}
	}
	return values
}

func (r modeReader) value(v value, order game.Order) game.Value {
	f := r.section(v, "name", "decimals", "min", "max", "order")
	read := game.Value{
		Name:     r.text(f.field("name"), "", "use a name such as wpm"),
		Decimals: int(r.number(f.field("decimals"), 0, 0)),
		Order:    choice(r.reader, f.field("order"), "an order", order, game.Desc, game.Asc),
	}
	if v.node.Kind != yaml.MappingNode {
		r.bad[f.field("name").path] = true
		return read
	}
	for _, key := range []string{"name", "max"} {
		if f.field(key).node == nil {
			r.missing(f.field(key), "use "+map[string]string{"name": "a name such as wpm", "max": "the highest that it can be"}[key])
		}
	}
	if r.bad[f.field("decimals").path] || read.Decimals < 0 || read.Decimals > game.MaxDecimals {
		r.bad[f.field("min").path], r.bad[f.field("max").path] = true, true // without decimals no bound can be understood
		return read
	}
	read.Min = game.Score(r.number(f.field("min"), read.Decimals, 0))
	read.Max = game.Score(r.number(f.field("max"), read.Decimals, 0))
	return read
}
