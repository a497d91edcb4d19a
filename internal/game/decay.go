package game

import (
	"fmt"
	"math"
	"math/big"
	"time"
)

// DecayRule makes older days count less on a mode's board of all time: the board adds up a
// player's days with weights, and each time that Every days have passed, a day counts Factor
// times what it counted before. Boards of days, all other periods and the archive have scores
// as they were played.
//
// A day's weight follows from its date alone, and newer days have larger weights. Boards of
// rolled-up days have sums of days with these weights, which do not change from one day to the
// next; a board multiplies such a sum by today's unit to show it. So nothing has to be done
// when a day passes, and nothing can be done twice or missed.
type DecayRule struct {
	Factor int64 // in millionths: 950000 is 0.95
	Every  int   // days; counted from a Monday, so that 7 are an ISO week
	Floor  Score // a total is never shown as less
}

// DecayUnit is 1 in the units of [DecayRule.Factor].
const DecayUnit = 1_000_000

const (
	leastDecay = DecayUnit / 2
	mostDecay  = DecayUnit - 1
	mostEvery  = 30 // days
	// fastestDecay is the least part of a score that a day may keep. With it, the squares of
	// weights, which Postgres keeps beside sums, fit a float64 until 2049.
	fastestDecay = 0.9
	// decayScale is how far below 1 the weight of the first day is, as a power of 2: so
	// weights use the exponents on both sides of 1.
	decayScale = 960
	// grain is the step to which sums are rounded when they are shown, so that the last bits of
	// rounded products decide no rank and no whole point.
	grain = 1.0 / 1024
	// mostShown is more than any total: see mostForgotten.
	mostShown = 1 << 43
)

// decayEpoch is the day from which decays are counted. Days before it have smaller weights,
// down to none.
var decayEpoch = NewDate(2024, time.January, 1) // a Monday

// Decays reports whether the days of a board are added up with weights.
func (b Board) Decays() bool {
	return b.Mode != nil && b.Mode.Decay != nil && b.Period.Kind() == AllTime
}

// step is how often a score of the epoch has decayed by d.
func (r *DecayRule) step(d Date) int {
	days := d.DaysSince(decayEpoch)
	if days < 0 {
		days -= r.Every - 1 // downwards
	}
	return days / r.Every
}

// Weight is what a point of a day counts in a sum that is kept.
func (r *DecayRule) Weight(d Date) float64 { return r.power(-r.step(d), -decayScale) }

// Unit is the factor that makes a total of today from a sum that is kept.
func (r *DecayRule) Unit(today Date) float64 { return r.power(r.step(today), decayScale) }

// Shown is a total as the board shows it: in whole 1024ths, and never below the floor. It is
// within 1/1024 of the exact total if that is above the floor: see mostForgotten. It is a
// number even for a sum that was made by another rule; while there are such sums, nothing is
// written.
func (r *DecayRule) Shown(total float64) float64 {
	return min(max(math.Round(total/grain)*grain, float64(r.Floor)), mostShown)
}

// power is Factor to the nth, times a power of 2: the nearest float64, on every
// processor.
func (r *DecayRule) power(n, scale int) float64 {
	const precision = 320 // bits: a thousandfold product is exact beyond a float64's 53
	number := func(n int64) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(n) }
	square, product := number(r.Factor), number(1)
	square.Quo(square, number(DecayUnit))
	for left := max(n, -n); left > 0; left /= 2 {
		if left%2 == 1 {
			product.Mul(product, square)
		}
		square.Mul(square, square)
	}
	if n < 0 {
		product.Quo(number(1), product)
	}
	f, _ := product.SetMantExp(product, scale).Float64()
	return f
}

// remembers is the most that daily scores can come to on the board, in scores of one day.
func (r *DecayRule) remembers() float64 {
	return float64(r.Every) * DecayUnit / float64(DecayUnit-r.Factor)
}

// mostForgotten bounds a day's score times the square of the days that are remembered. Each
// sum is rounded by half of its last bit, 2^-53 of it. A total is at most a day's largest
// score times the days that are remembered, and the errors of older sums decay with them. So
// all errors together stay below 2^-53 · score · days · (days + 4), a quarter of a grain.
const mostForgotten = 1 << 40

// decay refuses rules that do not go with weights.
func (c *modeChecker) decay() {
	rule := c.m.Decay
	if rule == nil {
		return
	}
	path := c.path("decay")
	refuse := func(key, why, instead string) { c.Add(path, why, instead, c.path(key)) }
	switch {
	case c.m.Composite():
		refuse("score", "several values are packed into one number, of which no part decays", "rank by one score, or leave decay out")
		return
	case c.m.Aggregate != Sum:
		refuse("aggregate", fmt.Sprintf("decay adds weighed days up, which aggregate %s does not", c.m.Aggregate), "use aggregate: sum, or leave decay out")
	case c.m.Order != Desc:
		refuse("order", "where the lowest total leads, an absent player would rise", "use order: desc, or leave decay out")
	case c.m.Min < 0 || c.m.DayMin < 0:
		key := "min"
		if c.m.Min >= 0 {
			key = "day_min"
		}
		refuse(key, "a total below 0 would rise for an absent player", "use bounds from 0 on, or leave decay out")
	case c.m.Teams != TeamRule{}:
		refuse("teams", "groups against each other are ranked by what their members have of all days alike", "leave teams out, or decay")
	}
	good := true
	bad := func(key, why, instead string) {
		good = false
		c.Add(path+"."+key, why, instead, path)
	}
	if rule.Factor < leastDecay || rule.Factor > mostDecay {
		bad("factor", fmt.Sprintf("%s is out of range", FormatScaled(Score(rule.Factor), 6)), "use 0.5 to 0.999999, as 0.95 for 5 % less each time")
	}
	if rule.Every < 1 || rule.Every > mostEvery {
		bad("every", fmt.Sprintf("%d days are out of range", rule.Every), fmt.Sprintf("use 1d to %dd", mostEvery))
	}
	if rule.Floor < 0 || rule.Floor > max(c.m.Min, 0) {
		bad("floor", fmt.Sprintf("%s is not between 0 and min, %s, so it could raise a total above what was played", c.m.FormatScore(rule.Floor), c.m.FormatScore(c.m.Min)), "use 0 to "+c.m.FormatScore(c.m.Min))
	}
	if !good {
		return
	}
	if daily := math.Pow(float64(rule.Factor)/DecayUnit, 1/float64(rule.Every)); daily < fastestDecay-1e-9 {
		c.Add(path+".factor", fmt.Sprintf("less than %g of a score would be left after a day", fastestDecay),
			"use a larger factor, or a longer every; for recent days only, use the boards of the last 7 and 30 days (rolling)", path, path+".every")
		return
	}
	if days := rule.remembers(); float64(c.m.DayMax)*days*days > mostForgotten {
		c.Add(path+".factor", fmt.Sprintf("with so slow a decay of scores up to %s, sums could not be kept to a thousandth", c.m.FormatScore(c.m.DayMax)),
			"use a smaller factor, a shorter every, or lower bounds", path, path+".every", c.path("max"), c.path("day_max"))
	}
}
