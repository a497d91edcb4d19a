package template

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// This file parses EventBridge schedule expressions, rate(…) and cron(…), and computes
// when they fire next. All times are UTC, to the minute, as for EventBridge rules.
//
// It knows the rules of
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
// and no clock: callers pass the time.

// Schedule is a parsed expression. It is immutable and safe for concurrent use.
type Expression struct {
	rate time.Duration // 0 for a cron expression
	cron cron
}

// Parse reads rate(value unit) or cron(minutes hours day-of-month month day-of-week
// year). It is as strict as EventBridge: exactly one of the two day fields is ?, and a
// unit is singular exactly where its value is 1. Errors name the wrong field and what it
// may contain.
func ParseExpression(expression string) (Expression, error) {
	kind, rest, ok := strings.Cut(expression, "(")
	inner, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed || kind != "rate" && kind != "cron" {
		return Expression{}, fmt.Errorf("schedule %q: want rate(value unit) or cron(minutes hours day-of-month month day-of-week year)", expression)
	}
	var s Expression
	var err error
	if kind == "rate" {
		s.rate, err = parseRate(inner)
	} else {
		s.cron, err = parseCron(inner)
	}
	if err != nil {
		return Expression{}, fmt.Errorf("schedule %q: %w", expression, err)
	}
	return s, nil
}

// Next returns the first firing strictly after a time, in UTC, or the zero time if there is
// none up to the end of 2199. EventBridge counts a rate from the creation of the rule; Next
// counts it from the Unix epoch, so that all processes agree.
func (s Expression) Next(after time.Time) time.Time {
	if s.rate == 0 {
		return s.cron.next(after.UTC())
	}
	every := int64(s.rate / time.Second)
	periods := after.Unix() / every
	if after.Unix()%every < 0 {
		periods--
	}
	return time.Unix((periods+1)*every, 0).UTC()
}

// maxRate keeps the arithmetic of Next far from overflow; it is 100 years.
const maxRate = 100 * 365 * 24 * time.Hour

func parseRate(inner string) (time.Duration, error) {
	value, unit, _ := strings.Cut(inner, " ")
	n, err := strconv.ParseUint(value, 10, 32)
	if err != nil || n == 0 || value[0] == '0' || value[0] == '+' {
		return 0, fmt.Errorf("the value %q is not a whole number above 0", value)
	}
	units := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
	singular := strings.TrimSuffix(unit, "s")
	size, known := units[singular]
	if !known || (n == 1) != (unit == singular) {
		return 0, fmt.Errorf("the unit %q does not fit the value %d: want minute, hour or day for 1, and minutes, hours or days for more", unit, n)
	}
	if n > uint64(maxRate/size) {
		return 0, errors.New("the rate is longer than 100 years")
	}
	return time.Duration(n) * size, nil
}
