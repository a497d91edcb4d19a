package game

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Value is one of the numbers of a mode that ranks by several. Such a mode's score is all of
// them, packed into one whole number.
//
// Packing is positional. Each value is a digit: it counts the steps from its worst to its best
// if the mode's order is desc, and from its best to its worst if it is asc; the base of
// the digit is how many steps there are. The first value is the leading digit. So the order of
// packed numbers is the order of the values, in which the first difference decides; and every
// number from 0 to Mode.Max is the packed form of exactly one row of values.
type Value struct {
	Name     string // see ValidMode for the form
	Decimals int    // places, 0 to 6
	Min, Max Score  // scaled by Decimals
	Order    Order  // empty: the mode's
}

// mostValues is the most values that a mode can rank by.
const mostValues = 8

// Composite reports whether the mode ranks by several values.
func (m *Mode) Composite() bool { return len(m.Values) > 0 }

// steps is how many different numbers the value has: at least 1.
func (v *Value) steps() uint64 { return uint64(v.Max-v.Min) + 1 }

// step is the place of a number among all numbers of the value, from 0, in a mode of that
// order.
func (v *Value) step(n Score, order Order) Score {
	if v.Order != order {
		return v.Max - n
	}
	return n - v.Min
}

// Parse reads the text of a JSON number exactly. The error is a *[ScoreError].
func (v *Value) Parse(number string) (Score, error) {
	n, err := ParseScaled(number, v.Decimals)
	if err != nil {
		return 0, err
	}
	return n, v.check(n)
}

func (v *Value) check(n Score) error {
	if n < v.Min || n > v.Max {
		return scoreError(OutOfBounds, "%s is outside the bounds; use %s to %s", v.Format(n), v.Format(v.Min), v.Format(v.Max))
	}
	return nil
}

// Format is the shortest decimal text of one number of the value.
func (v *Value) Format(n Score) string { return FormatScaled(n, v.Decimals) }

// Pack makes one score from the mode's values, given in their order and scaled by their
// decimals.
//
// Errors: a wrong number of values, and a *[ScoreError] for one outside its bounds.
func (m *Mode) Pack(values []Score) (Score, error) {
	if len(values) != len(m.Values) {
		return 0, fmt.Errorf("there are %d values; use %d", len(values), len(m.Values))
	}
	packed := Score(0)
	for i := range m.Values {
		v := &m.Values[i]
		if err := v.check(values[i]); err != nil {
			return 0, fmt.Errorf("%s: %w", v.Name, err)
		}
		packed = packed*Score(v.steps()) + v.step(values[i], m.Order)
	}
	return packed, nil
}

// Unpack is the inverse of Pack; nil if the mode has one number. A score that was packed
// while the first value had wider bounds unpacks to what was packed.
func (m *Mode) Unpack(packed Score) []Score {
	if !m.Composite() {
		return nil
	}
	values := make([]Score, len(m.Values))
	packed = max(packed, 0)
	for i := len(m.Values) - 1; i >= 0; i-- {
		v := &m.Values[i]
		step := packed
		if i > 0 {
			step, packed = packed%Score(v.steps()), packed/Score(v.steps())
		}
		values[i] = v.Min + step
		if v.Order != m.Order {
			values[i] = v.Max - step
		}
	}
	return values
}

// FormatValues is a JSON object of a score's values, in the mode's order; nil if the
// mode has one number.
func (m *Mode) FormatValues(packed Score) json.RawMessage {
	if !m.Composite() {
		return nil
	}
	text := []byte{'{'}
	for i, n := range m.Unpack(packed) {
		if i > 0 {
			text = append(text, ',')
		}
		v := &m.Values[i]
		text = append(text, '"')
		text = append(text, v.Name...)
		text = append(text, '"', ':')
		text = append(text, v.Format(n)...)
	}
	return append(text, '}')
}

// ShowScore is a score for people to read: its number, or its values by name.
func ShowScore(m *Mode, score Score) string {
	if !m.Composite() {
		return m.FormatScore(score)
	}
	shown := make([]string, len(m.Values))
	for i, n := range m.Unpack(score) {
		shown[i] = m.Values[i].Format(n) + " " + m.Values[i].Name
	}
	return strings.Join(shown, ", ")
}

// ValueNames are the names of the values, joined as in a sentence: wpm and accuracy.
func ValueNames(m *Mode) string {
	names := make([]string, len(m.Values))
	for i := range m.Values {
		names[i] = m.Values[i].Name
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// tail is how many rows of values begin with the same first value.
func tail(m *Mode) Score {
	n := Score(1)
	for i := 1; i < len(m.Values); i++ {
		n *= Score(m.Values[i].steps())
	}
	return n
}

// Reaching is the score from which on, in the mode's order, a number counts as reached: the
// number itself, or the worst score with that first value.
func Reaching(m *Mode, n Score) Score {
	if !m.Composite() {
		return n
	}
	reached := m.Values[0].step(n, m.Order) * tail(m)
	if m.Order == Asc {
		reached += tail(m) - 1
	}
	return reached
}

// Leading is the value that decides first, in which tables of scores are written; if the
// mode has one number, it describes the whole score.
func Leading(m *Mode) Value {
	if m.Composite() {
		return m.Values[0]
	}
	return Value{Decimals: m.Decimals, Min: m.DayMin, Max: m.DayMax, Order: m.Order}
}

// setValues completes the values, and gives the mode the bounds of their packed form:
// beyond every bound if they have none.
func setValues(m *Mode) {
	if !m.Composite() {
		return
	}
	rows := uint64(1)
	for i := range m.Values {
		v := &m.Values[i]
		if v.Order == "" {
			v.Order = m.Order
		}
		if v.Max < v.Min {
			rows = 1 // reported itself
			break
		}
		high, low := bits.Mul64(rows, v.steps())
		if rows = low; high > 0 || low > maxWhole {
			rows = maxWhole
		}
	}
	m.Min, m.Max, m.Decimals = 0, Score(rows-1), 0
}

// values checks a mode that ranks by several values.
func (c *modeChecker) values(g *Game) {
	if !c.m.Composite() {
		return
	}
	sound := true
	list := c.path("score")
	if n := len(c.m.Values); n > mostValues {
		c.Add(list, fmt.Sprintf("there are %d values", n), fmt.Sprintf("use at most %d", mostValues))
		sound = false
	}
	for i := range c.m.Values {
		sound = c.value(i) && sound
	}
	c.composition()
	if sound && g.Grace >= 0 && g.Grace <= maxGrace {
		c.room(g.Day.window(g.Grace))
	}
}

// value checks one value by itself.
func (c *modeChecker) value(i int) bool {
	v := &c.m.Values[i]
	path := fmt.Sprintf("%s[%d]", c.path("score"), i)
	before := len(c.found)
	switch {
	case !ValidName(v.Name):
		c.Add(path+".name", fmt.Sprintf("%.50q is not the name of a value", v.Name), NameForm)
	case slices.ContainsFunc(c.m.Values[:i], func(other Value) bool { return other.Name == v.Name }):
		c.Add(path+".name", fmt.Sprintf("there are two values %s", v.Name), "use another name")
	}
	if v.Order != Desc && v.Order != Asc {
		c.Add(path+".order", fmt.Sprintf("%.50q is not one of the choices", string(v.Order)), "use desc or asc", c.path("order"))
	}
	switch {
	case v.Decimals < 0 || v.Decimals > MaxDecimals:
		c.Add(path+".decimals", fmt.Sprintf("%d is out of range", v.Decimals), fmt.Sprintf("use 0 to %d", MaxDecimals))
	case v.Min > v.Max:
		c.Add(path+".max", fmt.Sprintf("%s is less than min, %s", v.Format(v.Max), v.Format(v.Min)), "use a larger one", path+".min", path+".decimals")
	case max(magnitudeOf(v.Min), magnitudeOf(v.Max)) > maxWhole:
		c.Add(path+".max", "the bounds are beyond 2^53", "use smaller ones", path+".min")
	}
	return len(c.found) == before
}

// composition refuses rules that mean nothing for packed scores.
func (c *modeChecker) composition() {
	const packed = "a score of several values is one packed number, and "
	if c.m.Policy == Sum {
		c.Add(c.path("policy"), packed+"the sum of two is not the sum of their values", "use first, best or latest", c.path("score"))
	}
	if c.m.Aggregate == Sum {
		better := DefaultAggregate(Best, c.m.Order)
		c.Add(c.path("aggregate"), packed+"the sum of two days is not the sum of their values",
			fmt.Sprintf("use %s or last, or leave it out for %s", better, better), c.path("score"), c.path("order"))
	}
	if c.m.Teams != (TeamRule{}) {
		c.Add(c.path("teams"), packed+"the sum of two members' is not the sum of their values", "leave it out", c.path("score"))
	}
	if c.m.XP.Weight != 0 {
		c.Add(c.path("xp"), packed+"XP for each of its points means nothing",
			`use XP for each play or a table of the first value, as in xp: {play: 10, scores: {"60": 100}}`, c.path("score"))
	}
}

// room refuses values that together take more bits than a score has.
func (c *modeChecker) room(window time.Duration) {
	there := wholeBits(window)
	if bits.Len64(uint64(c.m.Max)) <= there {
		return
	}
	taken, all := make([]string, len(c.m.Values)), 0.0
	for i := range c.m.Values {
		v := &c.m.Values[i]
		n := math.Log2(float64(v.steps()))
		taken[i] = fmt.Sprintf("%s %.1f bits", v.Name, n)
		all += n
	}
	c.Add(c.path("score"), fmt.Sprintf("%s: %.1f bits together, of %d that are left by the %d of the time, which breaks ties",
		strings.Join(taken, ", "), all, there, mantissaBits-there),
		"use fewer decimals, closer bounds or fewer values", "grace", "day")
}
