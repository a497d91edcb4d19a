package template

import (
	"errors"
	"strings"
	"time"
)

// dayRule decides by the day of the month or by the day of the week, never by both.
type dayRule struct {
	kind ruleKind
	set  uint64 // daysOfMonth: bits 1 to 31; daysOfWeek: bits 1 (Sunday) to 7
	n    int    // nearestWeekday: the day of the month; lastOfWeekday, nthOfWeekday: the weekday, 1 to 7
	nth  int    // nthOfWeekday: 1 to 5
}

type ruleKind int

const (
	daysOfMonth    ruleKind = iota
	lastOfMonth             // L in day-of-month
	nearestWeekday          // 15W
	daysOfWeek
	lastOfWeekday // 6L: the last Friday of the month
	nthOfWeekday  // 3#2: the second Tuesday of the month
)

func parseDays(dayOfMonth, dayOfWeek string) (dayRule, error) {
	if (dayOfMonth == "?") == (dayOfWeek == "?") {
		return dayRule{}, errors.New("exactly one of day-of-month and day-of-week must be ?")
	}
	if dayOfWeek == "?" {
		return parseDayOfMonth(dayOfMonth)
	}
	return parseDayOfWeek(dayOfWeek)
}

func parseDayOfMonth(text string) (dayRule, error) {
	if text == "L" {
		return dayRule{kind: lastOfMonth}, nil
	}
	if day, ok := strings.CutSuffix(text, "W"); ok {
		n, err := dayOfMonthField.value(day)
		return dayRule{kind: nearestWeekday, n: n}, err
	}
	set, err := dayOfMonthField.set(text)
	return dayRule{kind: daysOfMonth, set: set}, err
}

func parseDayOfWeek(text string) (dayRule, error) {
	if text == "L" { // the last day of the week
		return dayRule{kind: daysOfWeek, set: 1 << 7}, nil
	}
	if weekday, ok := strings.CutSuffix(text, "L"); ok {
		n, err := dayOfWeekField.value(weekday)
		return dayRule{kind: lastOfWeekday, n: n}, err
	}
	if weekday, which, ok := strings.Cut(text, "#"); ok {
		n, err := dayOfWeekField.value(weekday)
		if err != nil {
			return dayRule{}, err
		}
		nth, err := digits(which)
		if err != nil || nth < 1 || nth > 5 {
			return dayRule{}, dayOfWeekField.errorf("after # is %q: want one number from 1 to 5", which)
		}
		return dayRule{kind: nthOfWeekday, n: n, nth: nth}, nil
	}
	set, err := dayOfWeekField.set(text)
	return dayRule{kind: daysOfWeek, set: set}, err
}

func (r dayRule) matches(year int, month time.Month, day int) bool {
	weekday := int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday()) + 1
	switch r.kind {
	case daysOfMonth:
		return r.set&(1<<day) != 0
	case lastOfMonth:
		return day == lastDay(year, month)
	case nearestWeekday:
		return day == nearest(year, month, r.n)
	case daysOfWeek:
		return r.set&(1<<weekday) != 0
	case lastOfWeekday:
		return weekday == r.n && day+7 > lastDay(year, month)
	case nthOfWeekday:
		return weekday == r.n && (day+6)/7 == r.nth
	}
	return false
}

func lastDay(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// nearest returns the weekday closest to a day without leaving the month, or 0
// when the month has no such day.
func nearest(year int, month time.Month, day int) int {
	last := lastDay(year, month)
	if day > last {
		return 0
	}
	switch time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday() {
	case time.Saturday:
		if day == 1 {
			return 3
		}
		return day - 1
	case time.Sunday:
		if day == last {
			return day - 2
		}
		return day + 1
	default:
		return day
	}
}
