package template

import (
	"fmt"
	"math/bits"
	"strings"
	"time"
)

const (
	firstYear = 1970
	lastYear  = 2199
)

// cron is a parsed cron expression. In each set, bit n represents the value n.
type cron struct {
	minutes, hours, months uint64
	days                   dayRule
	years                  [lastYear - firstYear + 1]bool
}

func parseCron(inner string) (cron, error) {
	f := strings.Fields(inner)
	if len(f) != 6 {
		return cron{}, fmt.Errorf("it has %d fields: want 6, minutes hours day-of-month month day-of-week year", len(f))
	}
	var c cron
	for _, part := range []struct {
		field field
		text  string
		set   *uint64
	}{
		{minuteField, f[0], &c.minutes},
		{hourField, f[1], &c.hours},
		{monthField, f[3], &c.months},
	} {
		var err error
		if *part.set, err = part.field.set(part.text); err != nil {
			return cron{}, err
		}
	}
	years, err := yearField.parse(f[5])
	if err != nil {
		return cron{}, err
	}
	for _, y := range years {
		c.years[y-firstYear] = true
	}
	c.days, err = parseDays(f[2], f[4])
	return c, err
}

// next tries day after day, and skips whole months and years that do not match.
func (c *cron) next(after time.Time) time.Time {
	t := after.Truncate(time.Minute).Add(time.Minute)
	if t.Year() < firstYear {
		t = time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	for t.Year() <= lastYear {
		year, month, day := t.Date()
		switch {
		case !c.years[year-firstYear]:
			t = time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC)
		case c.months&(1<<month) == 0:
			t = time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)
		case !c.days.matches(year, month, day):
			t = time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)
		default:
			if hour, minute, ok := c.timeOfDay(t.Hour(), t.Minute()); ok {
				return time.Date(year, month, day, hour, minute, 0, 0, time.UTC)
			}
			t = time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)
		}
	}
	return time.Time{}
}

// timeOfDay returns the first matching time at or after hour:minute, if any.
func (c *cron) timeOfDay(hour, minute int) (int, int, bool) {
	if c.hours&(1<<hour) != 0 {
		if m := c.minutes >> minute << minute; m != 0 {
			return hour, bits.TrailingZeros64(m), true
		}
	}
	later := c.hours >> (hour + 1) << (hour + 1)
	if later == 0 {
		return 0, 0, false
	}
	return bits.TrailingZeros64(later), bits.TrailingZeros64(c.minutes), true
}
