package budget

import (
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// How much longer things take while a measure is in force.
const (
	cacheFactor   = 5
	refreshFactor = 12
	// longestRefresh bounds what a measure makes of a shorter interval.
	longestRefresh = time.Hour
)

// Measures are those in force. None of them touches what a score does, a player's own rank on
// a board that is written directly, or what a caller may ask for.
type Measures struct {
	Caches   bool // public pages may be five times as old
	Refresh  bool // derived boards are refreshed a twelfth as often
	Features bool // cards do without the rank of the period before, and without details
}

// At is the measures that a budget has at a pace.
func At(b game.Budget, pace float64) Measures {
	reached := func(percent int) bool { return percent > 0 && pace*100 >= float64(percent) }
	return Measures{reached(b.Caches), reached(b.Refresh), reached(b.Features)}
}

// And are those of the measures that are in both.
func (m Measures) And(o Measures) Measures {
	return Measures{m.Caches && o.Caches, m.Refresh && o.Refresh, m.Features && o.Features}
}

// Or are those of the measures that are in either.
func (m Measures) Or(o Measures) Measures {
	return Measures{m.Caches || o.Caches, m.Refresh || o.Refresh, m.Features || o.Features}
}

// Level is how many measures are in force, 0 to 3.
func (m Measures) Level() int { return len(m.Names()) }

// Names are those of the measures in force, as the game file has them.
func (m Measures) Names() []string {
	names := []string{}
	for _, measure := range []struct {
		name    string
		inForce bool
	}{{"caches", m.Caches}, {"refresh", m.Refresh}, {"features", m.Features}} {
		if measure.inForce {
			names = append(names, measure.name)
		}
	}
	return names
}

// String is the names, one after the other; empty for none.
func (m Measures) String() string { return strings.Join(m.Names(), ", ") }

// CacheFor is how old a public page may be; usual is how old without a measure.
func (m Measures) CacheFor(usual time.Duration) time.Duration {
	if m.Caches {
		return cacheFactor * usual
	}
	return usual
}

// RefreshEvery is the least time between two refreshes of a board; usual is that time without
// a measure. A measure makes it no longer than an hour, unless it is longer anyway.
func (m Measures) RefreshEvery(usual time.Duration) time.Duration {
	if m.Refresh {
		return max(usual, min(refreshFactor*usual, longestRefresh))
	}
	return usual
}
