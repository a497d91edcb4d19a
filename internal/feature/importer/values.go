package importer

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// valuePrefix begins the column of one of a mode's values: values.wpm.
const valuePrefix = "values."

// mostValues is the largest number of values of a line.
const mostValues = 8

// RowValue is one of the values of a line whose mode ranks by several.
type RowValue struct {
	Name   string
	Number string // a JSON number, exactly as the file has it
}

// isValue reports whether a name is that of a value's column.
func isValue(name string) bool {
	value, ok := strings.CutPrefix(name, valuePrefix)
	return ok && game.ValidMode(value) == nil // a value's name has the same form as a mode's
}

// value is a new value of the row, by its column.
func (r *Row) value(column string) *string {
	r.Values = append(r.Values, RowValue{Name: column[len(valuePrefix):]})
	return &r.Values[len(r.Values)-1].Number
}

// sortValues orders the values by name, so that equal lines give equal bytes: the fields of a
// JSON object come in any order. A name that comes twice is a fault.
func (r *Row) sortValues() *Fault {
	slices.SortFunc(r.Values, func(a, b RowValue) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(r.Values); i++ {
		if r.Values[i].Name == r.Values[i-1].Name {
			return &Fault{valuePrefix + r.Values[i].Name, "this is there twice"}
		}
	}
	return nil
}

// readValues reads the values of a JSON line.
func (r *Row) readValues(raw json.RawMessage) *Fault {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return &Fault{"values", `this must be an object of numbers, as in {"wpm":92.5,"accuracy":98.2}`}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !isValue(valuePrefix + name) {
			return &Fault{"values", strconv.Quote(cut(name)) + " is not the name of a value"}
		}
		if fault := readField(valuePrefix+name, values[name], r.value(valuePrefix+name)); fault != nil {
			return fault
		}
	}
	return nil
}

// checkNumbers checks the score and the values, independently of the mode.
func (r *Row) checkNumbers() *Fault {
	if r.Score != "" && len(r.Values) > 0 {
		return &Fault{"score", "values are set too; use one of the two"}
	}
	if len(r.Values) > mostValues {
		return &Fault{"values", "there are more than " + strconv.Itoa(mostValues)}
	}
	numbers := []RowValue{{"score", r.Score}}
	if len(r.Values) > 0 {
		numbers = slices.Clone(r.Values)
		for i := range numbers {
			numbers[i].Name = valuePrefix + numbers[i].Name
		}
	}
	for _, n := range numbers {
		if len(n.Number) > maxNumber {
			return &Fault{n.Name, strconv.Quote(cut(n.Number)) + " has more than " + strconv.Itoa(maxNumber) + " characters"}
		}
		if _, err := game.ParseScaled(n.Number, game.MaxDecimals); err != nil {
			return &Fault{n.Name, err.Error()}
		}
	}
	return nil
}

// ScoreOf returns the row's score in its mode, packed if the mode ranks by several values.
func (r *Row) ScoreOf(m *game.Mode) (game.Score, *Fault) {
	if !m.Composite() {
		if len(r.Values) > 0 {
			return 0, &Fault{valuePrefix + r.Values[0].Name, "the mode " + m.Called() + " ranks by one number; give it as score"}
		}
		score, err := m.ParseScore(r.Score)
		if err != nil {
			return 0, &Fault{"score", err.Error()}
		}
		return score, nil
	}
	if r.Score != "" {
		return 0, &Fault{"score", "the mode " + m.Called() + " ranks by " + game.ValueNames(m) + "; give these as values." + m.Values[0].Name + " and so on"}
	}
	values := make([]game.Score, len(m.Values))
	for i := range m.Values {
		v := &m.Values[i]
		at := slices.IndexFunc(r.Values, func(given RowValue) bool { return given.Name == v.Name })
		if at < 0 {
			return 0, &Fault{valuePrefix + v.Name, "this is required"}
		}
		var err error
		if values[i], err = v.Parse(r.Values[at].Number); err != nil {
			return 0, &Fault{valuePrefix + v.Name, err.Error()}
		}
	}
	for _, given := range r.Values {
		if !slices.ContainsFunc(m.Values, func(v game.Value) bool { return v.Name == given.Name }) {
			return 0, &Fault{valuePrefix + given.Name, "the mode " + m.Called() + " ranks by " + game.ValueNames(m)}
		}
	}
	score, err := m.Pack(values)
	if err != nil { // the checks have passed: nothing can be wrong now
		return 0, &Fault{"values", err.Error()}
	}
	return score, nil
}

// appendScore adds the score or values of a checked row.
func (r *Row) appendScore(b []byte) []byte {
	if len(r.Values) == 0 {
		return append(append(b, `,"score":`...), r.Score...)
	}
	b = append(b, `,"values":{`...)
	for i, v := range r.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), v.Name...), `":`...)
		b = append(b, v.Number...)
	}
	return append(b, '}')
}
