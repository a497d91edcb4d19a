package template

import (
	"fmt"
	"strconv"
	"strings"
)

// field describes the values of one field of a cron expression.
type field struct {
	name            string
	lowest, highest int
	names           string // three letters for each value from lowest up; "": no names
}

var (
	minuteField     = field{name: "minutes", lowest: 0, highest: 59}
	hourField       = field{name: "hours", lowest: 0, highest: 23}
	dayOfMonthField = field{name: "day-of-month", lowest: 1, highest: 31}
	monthField      = field{name: "month", lowest: 1, highest: 12, names: "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"}
	dayOfWeekField  = field{name: "day-of-week", lowest: 1, highest: 7, names: "SUNMONTUEWEDTHUFRISAT"}
	yearField       = field{name: "year", lowest: firstYear, highest: lastYear}
)

// parse returns all values of a list of *, values, ranges and increments; a value may come
// twice.
func (f field) parse(text string) ([]int, error) {
	var values []int
	for item := range strings.SplitSeq(text, ",") {
		span, increment, hasIncrement := strings.Cut(item, "/")
		from, to, err := f.span(span, hasIncrement)
		if err != nil {
			return nil, err
		}
		step := 1
		if hasIncrement {
			if step, err = digits(increment); err != nil || step < 1 || step > f.highest {
				return nil, f.errorf("the increment %q is not a number from 1 to %d", increment, f.highest)
			}
		}
		for v := from; v <= to; v += step {
			values = append(values, v)
		}
	}
	return values, nil
}

// set is parse for fields whose values fit 64 bits: bit n represents n.
func (f field) set(text string) (uint64, error) {
	values, err := f.parse(text)
	var set uint64
	for _, v := range values {
		set |= 1 << v
	}
	return set, err
}

// span parses *, a value or a range. A single value before an increment means the range up
// to the end of the field.
func (f field) span(text string, hasIncrement bool) (from, to int, err error) {
	if text == "*" {
		return f.lowest, f.highest, nil
	}
	first, last, isRange := strings.Cut(text, "-")
	if from, err = f.value(first); err != nil {
		return 0, 0, err
	}
	switch {
	case isRange:
		if to, err = f.value(last); err != nil {
			return 0, 0, err
		}
		if to < from {
			return 0, 0, f.errorf("the range %s runs backwards", text)
		}
	case hasIncrement:
		to = f.highest
	default:
		to = from
	}
	return from, to, nil
}

func (f field) value(text string) (int, error) {
	if i := strings.Index(f.names, text); len(text) == 3 && i >= 0 && i%3 == 0 {
		return f.lowest + i/3, nil
	}
	n, err := digits(text)
	if err != nil || n < f.lowest || n > f.highest {
		return 0, f.errorf("%q is not %s", text, f.want())
	}
	return n, nil
}

func (f field) want() string {
	s := fmt.Sprintf("a value from %d to %d", f.lowest, f.highest)
	if f.names != "" {
		s += fmt.Sprintf(" or from %s to %s", f.names[:3], f.names[len(f.names)-3:])
	}
	return s
}

func (f field) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s", f.name, fmt.Sprintf(format, args...))
}

// digits reads a number of at most four digits, without any sign.
func digits(text string) (int, error) {
	if text == "" || len(text) > 4 || strings.Trim(text, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(text)
}
