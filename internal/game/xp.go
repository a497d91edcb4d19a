package game

import (
	"cmp"
	"fmt"
	"slices"
)

// XPRule says what a day of a mode gives in XP. Its parts add up, and the zero rule gives
// none. All parts follow from the player's own true score: so anybody who has the day's board
// can work out the day's XP at any time, and no player's score changes another's XP.
type XPRule struct {
	Weight int64     // thousandths of an XP per whole point above 0; only with order desc
	Play   int64     // for a day played, whatever the score
	Scores []XPScore // by score, the easiest first; the best one reached counts
}

// XPScore is what a day gives on which the player reaches a score: that score or a higher one,
// with order asc that or a lower one. [Reaching] is that score as it is stored.
type XPScore struct {
	Score Score // the first value, if the mode has several
	XP    int64 // 1 to 1,000,000
}

const (
	maxXP       = 1_000_000 // of a day: for having played, or for a score
	maxXPScores = 100       // in one table: each is looked at for each player of a day
)

// None reports whether the rule never gives anything.
func (r XPRule) None() bool { return r.Weight == 0 && r.Play == 0 && len(r.Scores) == 0 }

// GivesXP reports whether a day of the mode can give XP.
func (m *Mode) GivesXP() bool { return !m.XP.None() }

// GivesXP reports whether anything in the game can give XP.
func (g *Game) GivesXP() bool {
	return g.Duels.GiveXP() || slices.ContainsFunc(g.Modes, (*Mode).GivesXP)
}

// XPOf is what a true score of a day gives. The weighted part is rounded down; a score below 0
// takes no XP away.
func (m *Mode) XPOf(score Score) int64 {
	xp := m.XP.Play + max(int64(score), 0)*m.XP.Weight/(1000*pow10(m.Decimals))
	reached := int64(0)
	for _, step := range m.XP.Scores {
		from := Reaching(m, step.Score)
		if m.Order == Desc && score < from || m.Order == Asc && score > from {
			break
		}
		reached = step.XP
	}
	return xp + reached
}

// sorted is the rule with its scores from the easiest on.
func (r XPRule) sorted(o Order) XPRule {
	r.Scores = slices.Clone(r.Scores)
	slices.SortStableFunc(r.Scores, func(a, b XPScore) int {
		if o == Asc {
			a, b = b, a
		}
		return cmp.Compare(a.Score, b.Score)
	})
	return r
}

// xp checks what a mode gives.
func (c *modeChecker) xp() {
	if !validWeight(c.m.XP.Weight) {
		c.badWeight(c.path("xp"), c.m.XP.Weight)
	}
	if c.m.Order == Asc && c.m.XP.Weight > 0 && !c.m.Composite() {
		c.add(c.path("xp"), "XP grows with the score, and here the lowest score leads",
			`use a table of scores or XP for each play with order asc, as in xp: {play: 10, scores: {"60": 100}}`, c.path("order"))
	}
	c.within(c.path("xp.play"), float64(c.m.XP.Play), 0, maxXP)
	if n := len(c.m.XP.Scores); n > maxXPScores {
		c.add(c.path("xp.scores"), fmt.Sprintf("there are %d", n), fmt.Sprintf("use at most %d", maxXPScores))
	}
}

// xpScores checks a table of scores against the bounds of a day.
func (c *modeChecker) xpScores() {
	v := Leading(c.m)
	if v.Min > v.Max || v.Decimals < 0 || v.Decimals > MaxDecimals {
		return // reported by itself
	}
	var rests []string
	for _, key := range []string{"order", "policy", "decimals", "min", "max", "day_min", "day_max", "score"} {
		rests = append(rests, c.path(key))
	}
	for i, step := range c.m.XP.Scores {
		path := c.path("xp.scores.") + v.Format(step.Score)
		switch {
		case step.Score < v.Min || step.Score > v.Max:
			c.add(path, "no day can come to it", "use "+v.Format(v.Min)+" to "+v.Format(v.Max), rests...)
		case step.XP < 1 || step.XP > maxXP:
			c.within(path, float64(step.XP), 1, maxXP)
		case i == 0:
		case step.Score == c.m.XP.Scores[i-1].Score:
			c.add(path, "the score is there twice", "keep one of them", rests...)
		case step.XP <= c.m.XP.Scores[i-1].XP:
			easier := c.m.XP.Scores[i-1]
			c.add(path, fmt.Sprintf("it gives %d XP, and %s gives %d, which is easier to reach", step.XP, v.Format(easier.Score), easier.XP),
				fmt.Sprintf("use %d or more, or leave it out", easier.XP+1), rests...)
		}
	}
}
