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

// MostPace is the highest pace: 1,000%.
const MostPace = 10.0

// headStart is the part of a day's allowance that may be spent at any time of it.
// Without one, the first calls after midnight would be a pace beyond measure.
const headStart = 0.25

// Spent is what a month has cost so far, in billed commands.
type Spent struct {
	Before int64 // the days of the month before today
	Today  int64
}

// Allowance is what today may cost at a moment, in commands: an even part of
// what the month's budget has left; 0 where nothing is left.
func Allowance(month int64, s Spent, at time.Time) float64 {
	at = at.UTC()
	days := time.Date(at.Year(), at.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return float64(max(month-s.Before, 0)) / float64(days-at.Day()+1)
}

// ByNow is how much of an allowance may be spent at a moment of its day.
func ByNow(allowance float64, at time.Time) float64 {
	passed := at.Sub(game.DateOf(at).Midnight()).Hours() / 24
	return allowance * (headStart + (1-headStart)*passed)
}

// Pace is what today has cost as a part of what it may have cost by now: 1 is
// 100%. It is at most MostPace, and just that where the month has nothing left.
func Pace(month int64, s Spent, at time.Time) float64 {
	may := ByNow(Allowance(month, s, at), at)
	if may <= 0 {
		return MostPace
	}
	return min(float64(s.Today)/may, MostPace)
}
