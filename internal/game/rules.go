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
	maxXPWeight  = 1_000_000 // thousandths: a thousand XP per point
	maxLevelBase = 1_000_000_000
)

// MaxTitle is how long a title may be, in bytes.
const MaxTitle = 100

// FeatureRules are the rules of a feature in a game: a key of the game file. The feature's package
// has the type, and reads it with [RulesOf].
type FeatureRules interface {
	// Check reports what is wrong with the rules.
	Check(g *Game, c *Checker)
}

// Completer is implemented by rules of features that follow from more of the game than their key,
// or that the kernel must know something of. Complete returns the rules as the game has them, such
// as with modes by their names in keys, and notes in the game what the kernel must know, such as
// [Mode.Earns]. It comes before the first Check.
type Completer interface {
	Complete(g *Game) FeatureRules
}

// RulesOf returns the rules of one type that a game has, or the zero value.
func RulesOf[T FeatureRules](g *Game) (rules T) {
	for _, one := range g.Features {
		if found, ok := one.(T); ok {
			return found
		}
	}
	return rules
}

// Happening is a kind of event about which other programs get messages.
type Happening string

// The kinds.
const (
	PeriodClosed Happening = "period.closed" // a day, week or month of a mode is over and in the archive
	SeasonClosed Happening = "season.closed"
	BadgeGiven   Happening = "badge.given"
	LeagueRolled Happening = "league.rolled" // a week of leagues is settled
)

// Happenings are all of them.
var Happenings = []Happening{PeriodClosed, SeasonClosed, BadgeGiven, LeagueRolled}

// Announcer is implemented by rules of features that have events for other programs.
type Announcer interface{ Announces() Happening }

// StreakWatcher is implemented by rules of features that act on long streaks when a day closes.
type StreakWatcher interface {
	LeastStreak() (days int64, ok bool)
}

// GroupCalendar is implemented by rules of features that know the time zones of groups.
type GroupCalendar interface {
	Today(group string, now time.Time) Date
}

// GroupToday is today's date where a group is, in UTC if no feature knows.
func (g *Game) GroupToday(group string, now time.Time) Date {
	for _, rules := range g.Features {
		if zones, ok := rules.(GroupCalendar); ok {
			return zones.Today(group, now)
		}
	}
	return g.Today(now)
}

// PlayerKeeper is implemented by rules of features that keep players in Redis besides boards.
type PlayerKeeper interface {
	// PlayerKeys are the sorted sets and hashes that have players as members, of the days for
	// which Redis has boards.
	PlayerKeys(days []Date, now time.Time) []string
}

// Checker collects what is wrong with a game's description.
type Checker struct{ found Problems }

// Add adds a problem, see [Problem].
func (c *Checker) Add(path, problem, want string, with ...string) {
	c.found = append(c.found, Problem{Path: path, With: with, Problem: problem, Want: want})
}

func check(g *Game) Problems {
	var c Checker
	if !ValidName(g.Name) {
		c.Add("name", fmt.Sprintf("%.50q is not a name", g.Name), NameForm)
	}
	if g.Day != UTC && g.Day != Local {
		c.Add("day", fmt.Sprintf("%.50q is not a day rule", g.Day), "use utc or local")
	}
	c.Duration("grace", g.Grace, 0, maxGrace)
	c.Duration("refresh", g.Refresh, minRefresh, maxRefresh)
	c.Duration("cache", g.Cache, 0, maxCache)
	c.lives(g)
	c.Within("level.base", float64(g.Level.Base), 1, maxLevelBase)
	c.Within("streak.freezes", float64(g.Streak.Freezes), 0, 30)
	if g.Streak.Freezes > 0 {
		c.Within("streak.every", float64(g.Streak.Every), 1, 366)
	}
	c.limits(g.Limits)
	c.budget(g.Budget)
	c.seasons(g)
	c.plays(g)
	if g.DeviceNames && !g.Anonymous {
		c.Add("devices.names", "the game has no devices that could have names", "set anonymous: true, or leave this out")
	}

	if len(g.Modes) == 0 {
		c.Add("modes", "there are none", "declare at least one mode")
	}
	taken := make(map[string]*Mode, 2*len(g.Modes))
	for _, m := range g.Modes {
		c.checkNames(m, taken)
		(&modeChecker{&c, m}).check(g)
	}
	for _, rules := range g.Features {
		rules.Check(g, &c)
	}
	return c.found
}

// checkNames checks that each name, of today or before, belongs to one mode alone.
func (c *Checker) checkNames(m *Mode, by map[string]*Mode) {
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
			c.Add(ModePath(m, "renamed_from"), "it is the mode's own name", "use the name before, or leave it out")
		case other.Called() == m.Called():
			c.Add(ModePath(m, ""), "the mode is declared twice", "keep one of them")
			return
		default:
			c.Add(ModePath(m, ""), fmt.Sprintf("the boards of %s go by %q", other.Called(), name), "use another name")
			return
		}
	}
}

// NameForm says what [ValidName] wants.
const NameForm = "use a letter a-z and up to 39 more of a-z, 0-9 and _"

// lives checks that the boards of one period last until the next period has been made from
// them, or compared with them.
func (c *Checker) lives(g *Game) {
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
		c.Add(life.path, fmt.Sprintf("%s is out of range: %s", formatDuration(life.value), life.why),
			fmt.Sprintf("use %s (with the grace) to %s", formatDuration(least), formatDuration(life.most)), with...)
	}
}

// Duration reports a duration that is outside its bounds.
func (c *Checker) Duration(path string, d, least, most time.Duration) {
	if d < least || d > most {
		c.Add(path, formatDuration(d)+" is out of range",
			fmt.Sprintf("use %s to %s", formatDuration(least), formatDuration(most)))
	}
}

// Within reports a number that is outside its bounds.
func (c *Checker) Within(path string, n, least, most float64) {
	// Written so that NaN is refused too.
	if !(n >= least && n <= most) {
		c.Add(path, FormatStored(n)+" is out of range",
			fmt.Sprintf("use %s to %s", FormatStored(least), FormatStored(most)))
	}
}

// Weight reports a weight of XP, in thousandths, that is outside its bounds.
func (c *Checker) Weight(path string, thousandths int64) {
	if thousandths >= 0 && thousandths <= maxXPWeight {
		return
	}
	c.Add(path, FormatScaled(Score(thousandths), 3)+" is out of range", "use 0 (no XP) to "+FormatScaled(maxXPWeight, 3))
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
