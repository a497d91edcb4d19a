package game

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Game is everything the leaderboards of one game need to know. Make one with
// [New], or from a file with package gamefile.
type Game struct {
	Name    string        // see ValidMode for the form
	Day     DayRule       // in which time zone a date begins and ends
	Grace   time.Duration // scores are accepted this long after the day's end; 0 to 24 h
	Refresh time.Duration // a derived board is rebuilt at most once in this time; 1 s to 24 h
	Cache   time.Duration // public pages may be this old; 0 to 1 h
	Lives   Lives
	Level   LevelCurve
	Streak  StreakRule
	Limits  Limits
	Budget  Budget
	// Outbox keeps every submission by itself, see docs/reference/games.md.
	Outbox bool
	// Live has processes that write announce changes, for processes with viewers that Redis
	// does not notify, see docs/build/live.md.
	Live bool
	// LiveChannels publishes which modes' boards change, see docs/build/live.md.
	LiveChannels bool
	// Anonymous lets devices play on which nobody has signed in, see docs/build/anonymous.md.
	Anonymous bool
	// DeviceNames lets these devices take a name.
	DeviceNames bool
	// BoundSignatures refuses game servers' signatures that cover the body alone (v1).
	BoundSignatures bool
	Seasons         []SeasonDays // besides weeks and months, in any order
	// Play is the rule for the plays that modes hand out, see docs/build/plays.md.
	Play       PlayRule
	Challenges Pools   // texts of challenges, in the order of the file
	Modes      []*Mode // in the order of the file
	// Features are the rules of features, see [RulesOf].
	Features []FeatureRules

	// DuelXP says that duels can give XP, and RatingDecay how idle weeks lower ratings; nil: they do not.
	DuelXP      bool
	RatingDecay *RatingDecay
	// Credentials says that submissions are kept with the credentials that they were sent with.
	Credentials bool
	// SeveralSites says that rules of a feature merge boards with those of other sites.
	SeveralSites bool

	seasons []season // ascending
}

// Lives are how long a board's key lives after the end of its period.
type Lives struct {
	Day, Week, Month time.Duration // Month: a season's too
}

// ModeCalled finds a mode by what callers say: its name of today, or the one it
// had before.
func (g *Game) ModeCalled(name string) (*Mode, bool) {
	for _, m := range g.Modes {
		if m.Called() == name {
			return m, true
		}
	}
	return g.Mode(name)
}

// Called is what callers know a mode by; name is its name in a key or row. A mode that the
// game no longer has keeps that name.
func (g *Game) Called(name string) string {
	if m, ok := g.Mode(name); ok {
		return m.Called()
	}
	return name
}

// Mode finds a mode by the name in keys and rows.
func (g *Game) Mode(name string) (*Mode, bool) {
	i := slices.IndexFunc(g.Modes, func(m *Mode) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return g.Modes[i], true
}

// New completes a game's description and checks it. The modes are copied, so
// that the caller's stay as they were. The error is a [Problems].
//
// If the policy is not sum, a mode's DayMin and DayMax are its Min and Max. If
// it has Values, these are the bounds of their packed form.
func New(description Game) (*Game, error) {
	g := description
	g.Modes = make([]*Mode, len(description.Modes))
	for i, m := range description.Modes {
		mode := *m
		mode.Scopes = slices.Clone(m.Scopes)
		mode.Values = slices.Clone(m.Values)
		setValues(&mode)
		mode.XP = m.XP.sorted(Leading(&mode).Order)
		if mode.Policy != Sum {
			mode.DayMin, mode.DayMax = mode.Min, mode.Max
		}
		setResolution(&mode, g.Day.window(g.Grace))
		g.Modes[i] = &mode
	}
	g.Seasons = slices.Clone(description.Seasons)
	g.Features = slices.Clone(description.Features)
	g.seasons = inOrder(g.Seasons)
	for i, rules := range g.Features {
		if c, ok := rules.(Completer); ok {
			g.Features[i] = c.Complete(&g)
		}
	}
	if found := check(&g); len(found) > 0 {
		return nil, found
	}
	return &g, nil
}

// UsageCount is what calls add up to.
type UsageCount struct {
	Calls      int64
	Commands   int64 // billed by Upstash
	RoundTrips int64
	Sent       int64 // bytes to Redis
	Received   int64 // bytes from Redis
	Failed     int64 // answered with 500 and above
	Throttled  int64 // answered with 429 or 503
	Replayed   int64
	Accepted   int64 // scores that changed a board
	Queries    int64 // to Postgres
	Rows       int64 // that Postgres returned or changed
}

// UsageCheck is a day's billed commands, in UTC, as the product counted them and
// as Upstash did.
type UsageCheck struct {
	Date    Date
	Counted int64 // by the product
	Upstash int64
	At      time.Time // when they were compared
}

// Budget is what the owner wants to spend on Redis, and which measures save commands when more
// is spent. The zero Budget is none.
type Budget struct {
	Month int64 // billed commands of a calendar month, in UTC; 1,000 to 10^12
	// At which pace each measure begins, in percent of what the budget allows: 1 to 1,000, or
	// 0 for never. Package budget explains what a pace is.
	Caches, Refresh, Features int
}

// Bounds of a budget.
const (
	minBudget = 1_000
	maxBudget = 1_000_000_000_000
	maxPace   = 1_000 // percent
)

func (c *Checker) budget(b Budget) {
	if b == (Budget{}) {
		return
	}
	c.Within("budget.month", float64(b.Month), minBudget, maxBudget)
	for _, measure := range []struct {
		name string
		at   int
	}{{"caches", b.Caches}, {"refresh", b.Refresh}, {"features", b.Features}} {
		if measure.at < 0 || measure.at > maxPace {
			c.Add("budget.degrade."+measure.name, fmt.Sprintf("%d%% is out of range", measure.at), fmt.Sprintf("use 1%% to %d%%, or off", maxPace))
		}
	}
}

// Problem is one thing that is wrong with a game's description.
type Problem struct {
	Path string // the value that is wrong, as in modes.daily_frame.policy
	// With has the paths of other values that the finding depends on: if one of them could not
	// be read, the finding means nothing.
	With    []string
	Problem string // what is wrong
	Want    string // what would be right
}

func (p Problem) String() string { return p.Path + ": " + p.Problem + "; " + p.Want }

// Problems are all that is wrong with a game's description, one to a line.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}
