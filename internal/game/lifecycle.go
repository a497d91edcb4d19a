package game

import (
	"time"

	"github.com/framedle/leaderboards/internal/fault"
)

// Lifecycle is the state of a period by the clock alone: a period passes through the states in
// their order. Redis says whether a closing has seen a day, or rolled it up.
type Lifecycle int

// The states of a period, in their order. Each includes its first moment.
const (
	Upcoming Lifecycle = iota // takes no scores yet
	Open                      // takes scores; all time always does
	Closed                    // takes none, except late ones from a queue, from imports and from operators
	Sealed                    // a day that takes none at all, and is rolled up
	Expired                   // its boards have left Redis
)

func (l Lifecycle) String() string {
	return [...]string{"upcoming", "open", "closed", "sealed", "expired"}[l]
}

// Seals is the moment from which a day's boards stay as they are: the last quarter of their
// life, in which they are rolled up into the boards that outlive them.
func (g *Game) Seals(d Date) time.Time {
	end, _ := g.Expires(Day.Of(d))
	return end.Add(-g.Lives.Day / 4)
}

// Lifecycle is the state of a period at the moment now.
func (g *Game) Lifecycle(p Period, now time.Time) Lifecycle {
	end, ends := g.Expires(p)
	switch {
	case !ends:
		return Open
	case !now.Before(end):
		return Expired
	case p.kind == Day && !now.Before(g.Seals(p.First())):
		return Sealed
	case g.Closed(p, now):
		return Closed
	case now.Before(g.Opens(p.First())):
		return Upcoming
	}
	return Open
}

// DayRule says in which time zone a game's date begins and ends.
type DayRule string

// The day rules.
const (
	// UTC: a date is open from midnight to midnight UTC.
	UTC DayRule = "utc"
	// Local: everybody has their own midnight. A date is open from the first
	// place on earth where it begins (UTC+14) to the last where it ends
	// (UTC-12), 50 hours in all.
	Local DayRule = "local"
)

const (
	day       = 24 * time.Hour
	firstZone = 14 * time.Hour // east of Greenwich: Kiritimati
	lastZone  = 12 * time.Hour // west of Greenwich: Baker Island
)

// Today is the date in UTC: what a submission without a date is for.
func (g *Game) Today(now time.Time) Date { return DateOf(now) }

// Opens is the first moment at which scores for d are accepted.
func (g *Game) Opens(d Date) time.Time {
	if g.Day == Local {
		return d.Midnight().Add(-firstZone)
	}
	return d.Midnight()
}

// Ends is the moment the period's last date ends, without grace. All time
// never ends: the zero time.
func (g *Game) Ends(p Period) time.Time {
	if p.kind == AllTime {
		return time.Time{}
	}
	end := p.Last().Midnight().Add(day)
	if g.Day == Local {
		end = end.Add(lastZone)
	}
	return end
}

// window is how long a day accepts scores, grace included.
func (r DayRule) window(grace time.Duration) time.Duration {
	if r == Local {
		return firstZone + day + lastZone + grace
	}
	return day + grace
}

// Open reports whether scores for d are accepted at the moment now: from Opens,
// up to but not including the end of the grace.
func (g *Game) Open(d Date, now time.Time) bool {
	return !now.Before(g.Opens(d)) && !g.Closed(Day.Of(d), now)
}

// MostOpenDates is how many dates accept scores at once where each player has their own
// midnight, without a grace.
const MostOpenDates = 3

// OpenDates are the dates that accept scores at the moment now, ascending: at
// least one, at most four.
func (g *Game) OpenDates(now time.Time) []Date {
	today := DateOf(now)
	var open []Date
	// A local day with a full grace ends 60 hours after its own midnight in
	// UTC, and begins 14 hours before it.
	for n := -2; n <= 1; n++ {
		if d := today.AddDays(n); g.Open(d, now) {
			open = append(open, d)
		}
	}
	return open
}

// DateError says that a date takes no scores, and which dates take some.
type DateError struct {
	Date  Date
	State string // of the date, for people
	Open  []Date
}

func (e *DateError) Error() string { return "the date " + e.Date.String() + " is " + e.State }

func (e *DateError) Fault() fault.Fault {
	f := fault.Fault{Code: "date-closed", Detail: e.Error()}
	for _, open := range e.Open {
		f.OpenDates = append(f.OpenDates, open.String())
	}
	return f
}

// RefuseDate makes a DateError.
func RefuseDate(g *Game, d Date, now time.Time, state string) *DateError {
	return &DateError{d, state, g.OpenDates(now)}
}

// Closed reports whether the period takes no more scores: its end and the grace
// have passed. All time never closes.
func (g *Game) Closed(p Period, now time.Time) bool {
	return p.kind != AllTime && !now.Before(g.Ends(p).Add(g.Grace))
}

// Expires is the moment the period's boards leave Redis. It depends on the
// period alone, so that no later write pushes it. All time has none: false.
func (g *Game) Expires(p Period) (time.Time, bool) {
	switch p.kind {
	case Day, Last7, Last30:
		return g.Ends(p).Add(g.Lives.Day), true
	case Week:
		return g.Ends(p).Add(g.Lives.Week), true
	case Month, Season:
		return g.Ends(p).Add(g.Lives.Month), true
	}
	return time.Time{}, false
}

// LastClosed returns the newest period of a kind that was closed at a time; false if no season
// was.
func (g *Game) LastClosed(kind PeriodKind, at time.Time) (p Period, ok bool) {
	if kind == Season {
		for _, season := range g.AllSeasons() {
			if g.Closed(season, at) {
				p, ok = season, true
			}
		}
		return p, ok
	}
	for p = kind.Of(DateOf(at)); !g.Closed(p, at); {
		p, _ = p.Previous()
	}
	return p, true
}
