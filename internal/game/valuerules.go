package game

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// values checks a mode that ranks by several values.
func (c *modeChecker) values(g *Game) {
	if !c.m.Composite() {
		return
	}
	sound := true
	list := c.path("score")
	if n := len(c.m.Values); n > mostValues {
		c.add(list, fmt.Sprintf("there are %d values", n), fmt.Sprintf("use at most %d", mostValues))
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
	case !validName(v.Name):
		c.add(path+".name", fmt.Sprintf("%.50q is not the name of a value", v.Name), nameForm)
	case slices.ContainsFunc(c.m.Values[:i], func(other Value) bool { return other.Name == v.Name }):
		c.add(path+".name", fmt.Sprintf("there are two values %s", v.Name), "use another name")
	}
	if v.Order != Desc && v.Order != Asc {
		c.add(path+".order", fmt.Sprintf("%.50q is not one of the choices", string(v.Order)), "use desc or asc", c.path("order"))
	}
	switch {
	case v.Decimals < 0 || v.Decimals > MaxDecimals:
		c.add(path+".decimals", fmt.Sprintf("%d is out of range", v.Decimals), fmt.Sprintf("use 0 to %d", MaxDecimals))
	case v.Min > v.Max:
		c.add(path+".max", fmt.Sprintf("%s is less than min, %s", v.Format(v.Max), v.Format(v.Min)), "use a larger one", path+".min", path+".decimals")
	case max(magnitudeOf(v.Min), magnitudeOf(v.Max)) > maxWhole:
		c.add(path+".max", "the bounds are beyond 2^53", "use smaller ones", path+".min")
	}
	return len(c.found) == before
}

// composition refuses rules that mean nothing for packed scores.
func (c *modeChecker) composition() {
	const packed = "a score of several values is one packed number, and "
	if c.m.Policy == Sum {
		c.add(c.path("policy"), packed+"the sum of two is not the sum of their values", "use first, best or latest", c.path("score"))
	}
	if c.m.Aggregate == Sum {
		better := DefaultAggregate(Best, c.m.Order)
		c.add(c.path("aggregate"), packed+"the sum of two days is not the sum of their values",
			fmt.Sprintf("use %s or last, or leave it out for %s", better, better), c.path("score"), c.path("order"))
	}
	if c.m.Teams != (TeamRule{}) {
		c.add(c.path("teams"), packed+"the sum of two members' is not the sum of their values", "leave it out", c.path("score"))
	}
	if c.m.XP.Weight != 0 {
		c.add(c.path("xp"), packed+"XP for each of its points means nothing",
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
	c.add(c.path("score"), fmt.Sprintf("%s: %.1f bits together, of %d that are left by the %d of the time, which breaks ties",
		strings.Join(taken, ", "), all, there, mantissaBits-there),
		"use fewer decimals, closer bounds or fewer values", "grace", "day")
}
