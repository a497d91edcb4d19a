package game

import (
	"fmt"
	"strings"
	"time"
)

// PeriodKind is how long a board collects scores: a day, an ISO week, a calendar month, all
// time, a season that the game declares, or the 7 or 30 days that end with a date.
type PeriodKind uint8

// The kinds of period.
const (
	Day PeriodKind = iota
	Week
	Month
	AllTime
	Season
	Last7
	Last30
)

// String is the word of the API: day, week, month, alltime, season, last7 or last30.
func (k PeriodKind) String() string {
	switch k {
	case Day:
		return "day"
	case Week:
		return "week"
	case Month:
		return "month"
	case AllTime:
		return "alltime"
	case Season:
		return "season"
	case Last7:
		return "last7"
	case Last30:
		return "last30"
	}
	return fmt.Sprintf("period(%d)", uint8(k))
}

// ParsePeriodKind reads the words of [PeriodKind.String].
func ParsePeriodKind(s string) (PeriodKind, error) {
	for k := Day; k <= Last30; k++ {
		if k.String() == s {
			return k, nil
		}
	}
	return 0, fmt.Errorf("%.40q is not a period; use day, week, month, season, alltime, last7 or last30", s)
}

// Of is the period of this kind that contains d. For Season it returns a period without days:
// only the game can find seasons, see [Game.SeasonOf].
func (k PeriodKind) Of(d Date) Period {
	switch k {
	case Week:
		return Period{kind: Week, first: d.AddDays(-sinceMonday(d))}
	case Month:
		year, month, _ := d.civil()
		return Period{kind: Month, first: NewDate(year, month, 1)}
	case Last7, Last30:
		return Period{kind: k, first: d.AddDays(1 - k.rolls())}
	case AllTime, Season:
		return Period{kind: k}
	}
	return Period{kind: Day, first: d}
}

func sinceMonday(d Date) int { return (int(d.Weekday()) + 6) % 7 }

// Period is one day, one ISO week (Monday to Sunday), one calendar month, all
// time, or a season of a game. Periods are comparable with ==, seasons within one
// [Game]. They come from [PeriodKind.Of] and [Game.PeriodOf].
type Period struct {
	kind   PeriodKind
	first  Date
	season *season
}

// Kind says how long the period is.
func (p Period) Kind() PeriodKind { return p.kind }

// First is the period's first date, and the zero Date for all time.
func (p Period) First() Date { return p.first }

// Last is the period's last date, and the zero Date for all time.
func (p Period) Last() Date {
	switch p.kind {
	case Week:
		return p.first.AddDays(6)
	case Month:
		year, month, _ := p.first.civil()
		return NewDate(year, month+1, 0)
	case Last7, Last30:
		return p.first.AddDays(p.kind.rolls() - 1)
	case Season:
		if p.season != nil {
			return p.season.Last
		}
	}
	return p.first
}

// Days are the period's dates, ascending: 1, 7, 28 to 31, or up to 366 of a season. All time
// has no list of days: nil. (The week of 9999-12-31 ends with the calendar.)
func (p Period) Days() []Date {
	if p.kind == AllTime || p.first.IsZero() {
		return nil
	}
	last := p.Last()
	days := make([]Date, 0, last.rata-p.first.rata+1)
	for d := p.first.rata; d <= last.rata; d++ {
		days = append(days, Date{rata: d})
	}
	return days
}

// Contains reports whether d belongs to the period. A date belongs to its own week and month,
// whenever its scores were sent.
func (p Period) Contains(d Date) bool {
	return p.kind == AllTime || !d.Before(p.first) && !d.After(p.Last())
}

// Previous is the period of the same kind that ends the day before this one begins; for a
// season it is the one before, however long ago that ended. It is false for all time, and at
// the beginning of the calendar or of the list of seasons.
func (p Period) Previous() (Period, bool) {
	if p.kind == Season {
		if p.season == nil || p.season.before == nil {
			return Period{}, false
		}
		return p.season.before.period(), true
	}
	if p.kind == AllTime || p.first.rata <= 1 {
		return Period{}, false
	}
	return p.kind.Of(p.first.AddDays(-1)), true
}

// TrueScores reports whether days are added up without their tie fractions once they are
// rolled up: so many fractions could reach 1.
func (p Period) TrueScores() bool { return p.kind == AllTime || p.kind == Season }

// Key names the period: 2026-11-21, 2026-W47, 2026-11, alltime, the season's name, or the last
// of rolling days. The year of a week is its ISO year, the year of its Thursday.
func (p Period) Key() string {
	var text [10]byte
	return string(p.appendKey(text[:0]))
}

func (p Period) appendKey(b []byte) []byte {
	switch p.kind {
	case Week:
		year, week := p.first.Midnight().ISOWeek()
		b = appendPadded(b, year, 4)
		b = append(b, "-W"...)
		return appendPadded(b, week, 2)
	case Month:
		return p.first.appendTo(b)[:len(b)+7]
	case AllTime:
		return append(b, "alltime"...)
	case Last7, Last30:
		return p.Last().appendTo(b)
	case Season:
		if p.season == nil {
			return b
		}
		return append(b, p.season.Name...)
	}
	return p.first.appendTo(b)
}

// parsePeriod is the inverse of Key for a known kind.
func parsePeriod(k PeriodKind, key string) (Period, error) {
	p, ok := Period{}, false
	switch {
	case k == AllTime:
		p, ok = AllTime.Of(Date{}), true
	case k == Day:
		d, err := ParseDate(key)
		p, ok = Day.Of(d), err == nil
	case k.rolls() > 0:
		d, err := ParseDate(key)
		p, ok = k.Of(d), err == nil
	case k == Month:
		d, err := ParseDate(key + "-01")
		p, ok = Month.Of(d), err == nil
	case k == Week && len(key) == 8 && key[4:6] == "-W":
		year, okYear := digits(key[:4])
		week, okWeek := digits(key[6:])
		if okYear && okWeek && year >= 1 && week >= 1 {
			// 4 January is always in week 1.
			p = Week.Of(Week.Of(NewDate(year, time.January, 4)).first.AddDays(7 * (week - 1)))
			ok = true
		}
	}
	// Reading back what was understood refuses a 53rd week in a year of 52.
	if !ok || p.Key() != key {
		return Period{}, fmt.Errorf("%.40q does not name a %s; use a form like %s", key, k, exampleKey(k))
	}
	return p, nil
}

func exampleKey(k PeriodKind) string { return k.Of(NewDate(2026, time.November, 21)).Key() }

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
