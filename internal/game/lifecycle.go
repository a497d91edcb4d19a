package game

import "time"

// Lifecycle is how old a period is, by the clock alone: it only ever goes on.
// Whether a closing has seen a day, or rolled it up, is said by Redis.
type Lifecycle int

// The ages of a period, in their order. Each includes its first moment.
const (
	Upcoming Lifecycle = iota // takes no scores yet
	Open                      // takes scores; all time always does
	Closed                    // takes none, but for late ones of a queue, of imports and of operators
	Sealed                    // a day that takes none at all, and is rolled up
	Expired                   // its boards have left Redis
)

func (l Lifecycle) String() string {
	return [...]string{"upcoming", "open", "closed", "sealed", "expired"}[l]
}

// Seals is the moment from which a day's boards stay as they are: the last quarter
// of their life, in which they are rolled up into what outlives them.
func (g *Game) Seals(d Date) time.Time {
	end, _ := g.Expires(Day.Of(d))
	return end.Add(-g.Lives.Day / 4)
}

// Lifecycle is how old a period is at the moment now.
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
