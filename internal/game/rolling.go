package game

import (
	"strings"
	"time"
)

// Rolling days are the 7 or 30 days that end with a date: each date has a board of its own,
// made of day boards like a week. Modes with such boards keep the keys of their days until
// after the days have expired, so that thirty of them are always there. Nothing else is
// different about these days: they close, are sealed and rolled up at the same moments, and are
// read from the archive once they have expired.

// rolls is how many days a period of the kind has if it is rolling; 0: it is not.
func (k PeriodKind) rolls() int {
	switch k {
	case Last7:
		return 7
	case Last30:
		return mostRolling
	}
	return 0
}

const mostRolling = 30

// Rolls reports whether periods of the kind are rolling days.
func (k PeriodKind) Rolls() bool { return k.rolls() > 0 }

// Rolls reports whether the period is one of rolling days.
func (p Period) Rolls() bool { return p.kind.Rolls() }

// OfDates reports whether the period's board is made of the keys of its days alone, rolled up
// or not: all of them live as long as the board.
func (p Period) OfDates() bool { return p.kind == Week || p.Rolls() }

// RollingOf are the rolling periods of a mode that contain a date, newest first: none if
// the mode has no such boards.
func (m *Mode) RollingOf(d Date) (all []Period) {
	if !m.Rolling {
		return nil
	}
	for _, kind := range []PeriodKind{Last7, Last30} {
		for ahead := kind.rolls() - 1; ahead >= 0; ahead-- {
			all = append(all, kind.Of(d.AddDays(ahead)))
		}
	}
	return all
}

// BoardsOf are the periods whose boards are made from a day's board of the mode: those of
// [Game.PeriodsOf], and rolling ones.
func BoardsOf(g *Game, m *Mode, d Date) []Period { return append(g.PeriodsOf(d), m.RollingOf(d)...) }

// KeyExpires is when the key of a period's board leaves Redis. That is when the board expires,
// except for days of modes with rolling boards: the oldest board that may be there needs its
// first day.
func KeyExpires(g *Game, key string, p Period) (time.Time, bool) {
	end, ends := g.Expires(p)
	if p.kind != Day {
		return end, ends
	}
	for _, m := range g.Modes {
		if m.Rolling && strings.HasPrefix(key, "lb:"+m.Name+":") {
			return end.AddDate(0, 0, mostRolling), true
		}
	}
	return end, ends
}

// KeyLives reports whether the key of a day's board of the mode is in Redis; the day itself
// may have expired.
func KeyLives(g *Game, m *Mode, d Date, now time.Time) bool {
	end, _ := KeyExpires(g, DayBoardKey(m.Name, d), Day.Of(d))
	return now.Before(end)
}
