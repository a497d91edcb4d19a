package game

import (
	"fmt"
	"time"
)

// Limits of a game's description.
const (
	maxGrace     = day
	minRefresh   = time.Second
	maxRefresh   = day
	maxCache     = time.Hour
	maxLife      = 3650 * day
	maxDayLife   = 30 * day  // days that all time may add up with their tie fractions stay below 32
	maxTitle     = 100       // bytes
	maxXPWeight  = 1_000_000 // thousandths: a thousand XP per point
	maxLevelBase = 1_000_000_000
)

// checker collects what is wrong with a game's description.
type checker struct{ found Problems }

func (c *checker) add(path, problem, want string, with ...string) {
	c.found = append(c.found, Problem{Path: path, With: with, Problem: problem, Want: want})
}

func check(g *Game) Problems {
	var c checker
	if !validName(g.Name) {
		c.add("name", fmt.Sprintf("%.50q is not a name", g.Name), nameForm)
	}
	if g.Day != UTC && g.Day != Local {
		c.add("day", fmt.Sprintf("%.50q is not a day rule", g.Day), "use utc or local")
	}
	c.duration("grace", g.Grace, 0, maxGrace)
	c.duration("refresh", g.Refresh, minRefresh, maxRefresh)
	c.duration("cache", g.Cache, 0, maxCache)
	c.lives(g)
	c.within("level.base", float64(g.Level.Base), 1, maxLevelBase)
	c.within("streak.freezes", float64(g.Streak.Freezes), 0, 30)
	if g.Streak.Freezes > 0 {
		c.within("streak.every", float64(g.Streak.Every), 1, 366)
	}
	c.duels(g.Duels)
	c.races(g)
	c.leagues(g)
	c.limits(g.Limits)
	c.budget(g.Budget)
	c.seasons(g)
	c.plays(g)
	c.currencies(g)
	if g.DeviceNames && !g.Anonymous {
		c.add("devices.names", "the game has no devices that could have names", "set anonymous: true, or leave this out")
	}

	if len(g.Modes) == 0 {
		c.add("modes", "there are none", "declare at least one mode")
	}
	taken := make(map[string]*Mode, 2*len(g.Modes))
	for _, m := range g.Modes {
		c.taken(m, taken)
		(&modeChecker{&c, m}).check(g)
	}
	activityChecker{&c}.check(g)
	badgeChecker{&c}.check(g)
	webhookChecker{&c}.check(g)
	checkAudit(&c, g)
	checkWorld(&c, g)
	return c.found
}

// taken checks that each name, of today or before, belongs to one mode alone.
func (c *checker) taken(m *Mode, by map[string]*Mode) {
	names := []string{m.Name}
	if m.Renamed != "" {
		names = append(names, m.Renamed)
	}
	for _, name := range names {
		other := by[name]
		by[name] = m
		switch {
		case other == nil:
		case other == m:
			c.add(modePath(m, "renamed_from"), "it is the mode's own name", "use the name before, or leave it out")
		case other.Called() == m.Called():
			c.add(modePath(m, ""), "the mode is declared twice", "keep one of them")
			return
		default:
			c.add(modePath(m, ""), fmt.Sprintf("the boards of %s go by %q", other.Called(), name), "use another name")
			return
		}
	}
}

const nameForm = "use a letter a-z and up to 39 more of a-z, 0-9 and _"

// lives checks that the boards of one period last until the next period has been made from
// them, or compared with them.
func (c *checker) lives(g *Game) {
	for _, life := range []struct {
		path  string
		value time.Duration
		least time.Duration
		most  time.Duration
		why   string
	}{
		{"lives.day", g.Lives.Day, 7 * day, maxDayLife, "a week is made from its days when it has closed, and all time adds days up while Redis has them"},
		{"lives.week", g.Lives.Week, 7 * day, maxLife, "a week is compared with the one before it"},
		{"lives.month", g.Lives.Month, 31 * day, maxLife, "a month is compared with the one before it"},
	} {
		// If the grace is out of range, it is reported itself.
		least := life.least + min(max(g.Grace, 0), maxGrace)
		if life.value >= least && life.value <= life.most {
			continue
		}
		var with []string
		if life.value >= life.least && life.value < least {
			with = []string{"grace"}
		}
		c.add(life.path, fmt.Sprintf("%s is out of range: %s", formatDuration(life.value), life.why),
			fmt.Sprintf("use %s (with the grace) to %s", formatDuration(least), formatDuration(life.most)), with...)
	}
}

func (c *checker) duration(path string, d, least, most time.Duration) {
	if d < least || d > most {
		c.add(path, formatDuration(d)+" is out of range",
			fmt.Sprintf("use %s to %s", formatDuration(least), formatDuration(most)))
	}
}

func (c *checker) within(path string, n, least, most float64) {
	// Written so that NaN is refused too.
	if !(n >= least && n <= most) {
		c.add(path, FormatStored(n)+" is out of range",
			fmt.Sprintf("use %s to %s", FormatStored(least), FormatStored(most)))
	}
}

func validWeight(thousandths int64) bool { return thousandths >= 0 && thousandths <= maxXPWeight }

func (c *checker) badWeight(path string, thousandths int64) {
	c.add(path, FormatScaled(Score(thousandths), 3)+" is out of range", "use 0 (no XP) to "+FormatScaled(maxXPWeight, 3))
}

// formatDuration is the form of a game file: 8d, 1d12h, 90s as 1m30s.
func formatDuration(d time.Duration) string {
	if d < 0 || d%time.Second != 0 {
		return d.String()
	}
	text := ""
	for _, unit := range []struct {
		length time.Duration
		letter string
	}{{day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / unit.length; n > 0 {
			text += fmt.Sprint(int64(n)) + unit.letter
			d -= n * unit.length
		}
	}
	if text == "" {
		return "0s"
	}
	return text
}
