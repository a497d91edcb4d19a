package gamefile

import "github.com/framedle/leaderboards/internal/game"

var scoreKey = key{
	name: "score", kind: list, otherwise: "one number", min: "1", max: "8", holds: "a list of 1 to 8 values",
	want: "use a list of values, as in [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]",
	text: "[several values](#several-values) to rank by", of: &key{kind: mapping, keys: []key{
		{name: "name", need: "use a name such as wpm", want: "use a name such as wpm", form: nameForm, text: "what the value is called in requests and answers"},
		{name: "decimals", kind: number, usual: "0", min: "0", max: "6", text: "decimal places of the value. More are rejected, not rounded"},
		{name: "min", kind: score, usual: "0", text: "the least that the value can be"},
		{name: "max", kind: score, need: "use the highest that it can be", text: "the most that the value can be"},
		{name: "order", kind: choice, otherwise: "the mode's", noun: "an order", words: []string{"desc", "asc"}, text: "whether high or low values lead"},
	}},
}

// readValues reads the list of what a mode ranks by if that is several numbers.
func readValues(mode fields, order game.Order) []game.Value {
	v := mode.field("score")
	items := v.items()
	if len(items) == 0 {
		if v.given() && !v.bad[v.path] {
			v.report("there is nothing in it", v.key.want)
		}
		return nil
	}
	values := make([]game.Value, len(items))
	for i, item := range items {
		before := len(v.found)
		values[i] = readValue(item, order)
		if len(v.found) > before {
			v.bad[v.path] = true // the values cannot be combined
		}
	}
	for _, name := range []string{"decimals", "min", "max", "day_min", "day_max"} {
		if own := mode.field(name); own.given() {
			v.add(v.lines[own.path], own.path, "the mode ranks by several values, and each has its own", "leave it out, and write it to the values of score")
		}
	}
	return values
}

func readValue(v value, order game.Order) game.Value {
	f := v.fields()
	name, decimals, lowest, highest := f.field("name"), f.field("decimals"), f.field("min"), f.field("max")
	read := game.Value{Name: name.text(), Decimals: decimals.int(), Order: game.Order(f.field("order").textOr(string(order)))}
	if !v.isMapping() {
		v.bad[name.path] = true
		return read
	}
	if v.bad[decimals.path] || read.Decimals < 0 || read.Decimals > game.MaxDecimals {
		v.bad[lowest.path], v.bad[highest.path] = true, true // without decimals no bound can be understood
		return read
	}
	read.Min, read.Max = lowest.score(read.Decimals), highest.score(read.Decimals)
	return read
}
