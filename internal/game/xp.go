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
	return g.DuelXP || slices.ContainsFunc(g.Modes, (*Mode).GivesXP)
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
	c.Weight(c.path("xp"), c.m.XP.Weight)
	if c.m.Order == Asc && c.m.XP.Weight > 0 && !c.m.Composite() {
		c.Add(c.path("xp"), "XP grows with the score, and here the lowest score leads",
			`use a table of scores or XP for each play with order asc, as in xp: {play: 10, scores: {"60": 100}}`, c.path("order"))
	}
	c.Within(c.path("xp.play"), float64(c.m.XP.Play), 0, maxXP)
	if n := len(c.m.XP.Scores); n > maxXPScores {
		c.Add(c.path("xp.scores"), fmt.Sprintf("there are %d", n), fmt.Sprintf("use at most %d", maxXPScores))
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
			c.Add(path, "no day can come to it", "use "+v.Format(v.Min)+" to "+v.Format(v.Max), rests...)
		case step.XP < 1 || step.XP > maxXP:
			c.Within(path, float64(step.XP), 1, maxXP)
		case i == 0:
		case step.Score == c.m.XP.Scores[i-1].Score:
			c.Add(path, "the score is there twice", "keep one of them", rests...)
		case step.XP <= c.m.XP.Scores[i-1].XP:
			easier := c.m.XP.Scores[i-1]
			c.Add(path, fmt.Sprintf("it gives %d XP, and %s gives %d, which is easier to reach", step.XP, v.Format(easier.Score), easier.XP),
				fmt.Sprintf("use %d or more, or leave it out", easier.XP+1), rests...)
		}
	}
}

// StreakRule is how missed days are forgiven. The zero rule forgives none.
type StreakRule struct {
	Off     bool // the game counts no streaks
	Freezes int  // how many a player can hold; 0 to 30
	Every   int  // days of a streak that earn one; 1 to 366, unused without Freezes
}

// Streak counts the days on which a player had at least one accepted score in any mode, as long
// as a freeze covers each missed day. The zero Streak is that of somebody who has never played.
type Streak struct {
	Current int
	Best    int
	Last    Date // the newest day played
	Freezes int  // held; each covers one missed day
}

// Play adds a day that was played to a streak. The day must be newer than the last one played;
// other days change nothing. Days that a freeze covered do not count themselves.
func (r StreakRule) Play(s Streak, d Date) Streak {
	if !d.After(s.Last) {
		return s
	}
	s = r.At(s, d)
	s.Last = d
	s.Current++
	s.Best = max(s.Best, s.Current)
	if r.Freezes > s.Freezes && s.Current%r.Every == 0 {
		s.Freezes++
	}
	return s
}

// At is the streak on a date that is not over: each day between the last one played and this
// one has used up a freeze, or ended the streak.
func (r StreakRule) At(s Streak, today Date) Streak {
	if s.Last.IsZero() {
		return s
	}
	missed := int(today.rata-s.Last.rata) - 1
	switch {
	case missed <= 0:
	case missed <= s.Freezes:
		s.Freezes -= missed
	default:
		s.Current, s.Freezes = 0, 0
	}
	return s
}
