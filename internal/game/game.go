package game

import (
	"slices"
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
	Duels   Duels
	Races   *Races   // nil: none
	Leagues *Leagues // nil: none
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
	Challenges Pools // texts of challenges, in the order of the file
	// Currencies are what plays earn, see docs/build/wallets.md.
	Currencies Currencies
	// Presence counts the players who are there, see docs/build/presence.md.
	Presence bool
	Activity *Activity // nil: the game has none
	Badges   Badges    // see docs/build/badges.md
	Webhooks Webhooks  // see docs/build/webhooks-out.md
	Audit    Audit     // see docs/operate/audit.md
	World    *World    // nil: the game has one site
	Modes    []*Mode   // in the order of the file

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
	g.Currencies = byTheirNames(&g, description.Currencies)
	g.Badges = description.Badges.completed(&g)
	g.Seasons = slices.Clone(description.Seasons)
	g.seasons = inOrder(g.Seasons)
	if found := check(&g); len(found) > 0 {
		return nil, found
	}
	return &g, nil
}
