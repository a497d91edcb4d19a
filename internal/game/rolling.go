package game

import (
	"strings"
	"time"
)

// Rolling days are the 7 or 30 days that end with a date: a board of their own for
// each date, made of day boards like a week. Modes that have such boards keep the keys
// of their days for longer than days are boards of their own, so that thirty of them
// are always there. Nothing else is different about these days: they close, are sealed
// and rolled up at the same moments, and are read from the archive once they have
// expired.

// rolls is how many days a rolling period has; 0: it is none.
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

// OfDates reports whether the period's board is made of the keys of its days alone,
// whether they were rolled up or not: all of them live as long as it does.
func (p Period) OfDates() bool { return p.kind == Week || p.Rolls() }

// RollingOf are the rolling periods of a mode that a date is in, newest first: none
// where the mode has no such boards.
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

// BoardsOf are the periods that a day's board of the mode is made into: those of
// [Game.PeriodsOf], and rolling ones.
func BoardsOf(g *Game, m *Mode, d Date) []Period { return append(g.PeriodsOf(d), m.RollingOf(d)...) }

// KeyExpires is when the key of a period's board leaves Redis. It is when the board
// expires, but for days of modes with rolling boards: whatever lives as long as the
// oldest of those needs its first day.
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

// KeyLives reports whether the key of a day's board of the mode is there: the day may
// have expired.
func KeyLives(g *Game, m *Mode, d Date, now time.Time) bool {
	end, _ := KeyExpires(g, DayBoardKey(m.Name, d), Day.Of(d))
	return now.Before(end)
}
