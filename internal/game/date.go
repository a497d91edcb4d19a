package game

import (
	"fmt"
	"time"
)

// Date is a civil date of the proleptic Gregorian calendar, from 0001-01-01
// to 9999-12-31, without time or zone. Dates are comparable with ==. The zero
// Date is no date at all and comes before every real one.
type Date struct {
	// rata counts days from 0001-01-01, which is 1 and a Monday.
	rata int32
}

const (
	secondsPerDay = 24 * 60 * 60
	unixRata      = 719_163   // 1970-01-01
	lastRata      = 3_652_059 // 9999-12-31
)

// dateAt keeps arithmetic inside the calendar by stopping at its ends.
func dateAt(rata int64) Date {
	return Date{rata: int32(min(max(rata, 1), lastRata))}
}

// NewDate is the given day; months and days beyond their range carry over as
// in [time.Date].
func NewDate(year int, month time.Month, day int) Date {
	return DateOf(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// DateOf is the date in UTC at the moment t.
func DateOf(t time.Time) Date {
	seconds := t.Unix()
	days := seconds / secondsPerDay
	if seconds%secondsPerDay < 0 {
		days--
	}
	return dateAt(days + unixRata)
}

// ParseDate reads YYYY-MM-DD, and no other form.
func ParseDate(s string) (Date, error) {
	if len(s) == 10 && s[4] == '-' && s[7] == '-' {
		year, okYear := digits(s[:4])
		month, okMonth := digits(s[5:7])
		day, okDay := digits(s[8:])
		if okYear && okMonth && okDay && year >= 1 {
			d := NewDate(year, time.Month(month), day)
			if y, m, dd := d.civil(); y == year && int(m) == month && dd == day {
				return d, nil
			}
		}
	}
	return Date{}, fmt.Errorf("%.40q is not a date; use YYYY-MM-DD", s)
}

// digits reads a run of decimal digits that is short enough for an int.
func digits(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, len(s) > 0
}

// IsZero reports whether d is no date at all.
func (d Date) IsZero() bool { return d.rata == 0 }

// Midnight is the moment the date begins in UTC.
func (d Date) Midnight() time.Time {
	return time.Unix((int64(d.rata)-unixRata)*secondsPerDay, 0).UTC()
}

func (d Date) civil() (year int, month time.Month, day int) { return d.Midnight().Date() }

// String is YYYY-MM-DD.
func (d Date) String() string {
	var text [10]byte
	return string(d.appendTo(text[:0]))
}

func (d Date) appendTo(b []byte) []byte {
	year, month, day := d.civil()
	b = appendPadded(b, year, 4)
	b = append(b, '-')
	b = appendPadded(b, int(month), 2)
	b = append(b, '-')
	return appendPadded(b, day, 2)
}

// appendPadded writes n, which is not negative, with leading zeros.
func appendPadded(b []byte, n, width int) []byte {
	start := len(b)
	for range width {
		b = append(b, '0')
	}
	for i := start + width - 1; i >= start; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}

// AddDays is the date n days later, or earlier for a negative n. It stops at
// the first and last date there are.
func (d Date) AddDays(n int) Date { return dateAt(int64(d.rata) + int64(n)) }

// DaysSince is how many days d is after e; negative if it is before.
func (d Date) DaysSince(e Date) int { return int(d.rata) - int(e.rata) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return time.Weekday(d.rata % 7) }

// Compare is -1, 0 or 1 as d comes before, is, or comes after e.
func (d Date) Compare(e Date) int {
	switch {
	case d.rata < e.rata:
		return -1
	case d.rata > e.rata:
		return 1
	}
	return 0
}

// Before reports whether d comes before e.
func (d Date) Before(e Date) bool { return d.rata < e.rata }

// After reports whether d comes after e.
func (d Date) After(e Date) bool { return d.rata > e.rata }
