package gamefile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// scalar reports whether v is a value of one of the tags. If it is anything else, scalar adds
// a problem, unless the key is left out.
func (v Value) scalar(want string, tags ...string) bool {
	if !v.Given() {
		return false
	}
	if v.node.Kind == yaml.ScalarNode && slices.Contains(tags, v.node.ShortTag()) {
		return true
	}
	v.WrongType(want)
	return false
}

// Text reads a text, or one of several words.
func (v Value) Text() string {
	k, want := v.key.as(Text), "use text"
	switch {
	case k.Advice != "":
		want = k.Advice
	case k.Noun != "":
		want = "use " + alternatives(k.Words)
	}
	if !v.scalar(want, "!!str") {
		return k.Default
	}
	if k.Noun != "" && !slices.Contains(k.Words, v.node.Value) {
		v.Report(fmt.Sprintf("%.40q is not %s", v.node.Value, k.Noun), want)
		return k.Default
	}
	return v.node.Value
}

// TextOr is text with a default that other keys say.
func (v Value) TextOr(otherwise string) string {
	before := len(v.found)
	if s := v.Text(); v.Given() && len(v.found) == before {
		return s
	}
	return otherwise
}

func (v Value) Flag() bool {
	const want = "use true or false"
	if !v.scalar(want, "!!bool") {
		return false
	}
	if !v.Is("true") && !v.Is("false") {
		v.Report(fmt.Sprintf("%q is not written as expected", v.node.Value), want)
	}
	return v.Is("true")
}

// Number reads a decimal exactly, scaled to whole units.
func (v Value) Number() int64 { return v.scaled(v.key.as(Number).Decimals) }

func (v Value) Int() int { return int(v.Number()) }

func (v Value) Float() float64 { return float64(v.Number()) }

// scaled is number for a value whose decimals the file says.
func (v Value) scaled(decimals int) int64 {
	want := wantNumber(decimals)
	usual, err := game.ParseScaled(v.key.as(Number).Default, decimals)
	if err != nil {
		usual = 0 // there is no default
	}
	if !v.scalar(want, "!!int", "!!float") {
		return int64(usual)
	}
	n, err := game.ParseScaled(v.node.Value, decimals)
	if err != nil {
		v.Report(fmt.Sprintf("%.40q is not a number of this kind", v.node.Value), want+" within 2^53")
		return int64(usual)
	}
	return int64(n)
}

func wantNumber(decimals int) string {
	if decimals == 0 {
		return "use a whole number"
	}
	return fmt.Sprintf("use a number with at most %d decimals", decimals)
}

// What messages advise for values of some form.
const (
	wantDuration = "use whole numbers with d, h, m and s, largest first, such as 8d, 15m or 1m30s"
	wantRate     = "use requests in a time, such as 20/1m, or off"
	wantPercent  = "use a percentage, such as 80%, or off"
)

// parsed reads a value that is written as text of some form; off is the zero value where it
// may be.
func parsed[T any](v Value, noun, want string, parse func(string) (T, bool)) T {
	usual, _ := parse(v.key.Default)
	if !v.scalar(want, "!!str") {
		return usual
	}
	if v.Is(Off) && slices.Contains(v.key.Words, Off) {
		return *new(T)
	}
	got, ok := parse(v.node.Value)
	if !ok {
		v.Report(fmt.Sprintf("%.40q is not a %s", v.node.Value, noun), want)
		return usual
	}
	return got
}

func (v Value) Duration() time.Duration {
	return parsed(v, "duration", wantDuration, parseDuration)
}

// Rate reads 20/1m, or off.
func (v Value) Rate() game.Rate {
	return parsed(v, "rate", wantRate, func(s string) (game.Rate, bool) {
		n, rest, _ := strings.Cut(s, "/")
		number, okNumber := count(n, 9)
		window, okWindow := parseDuration(rest)
		if !okNumber || !okWindow || number == 0 && window == 0 {
			return game.Rate{}, false
		}
		return game.Rate{Count: int(number), Window: window}, true
	})
}

// Percent reads 80%, or off, which is 0.
func (v Value) Percent() int {
	return parsed(v, "percentage", wantPercent, func(s string) (int, bool) {
		number, isPercent := strings.CutSuffix(s, "%")
		n, isNumber := count(number, 9)
		return int(n), isPercent && isNumber && n != 0
	})
}

// Date reads YYYY-MM-DD, which YAML takes for a point in time unless it is quoted.
func (v Value) Date() game.Date {
	const want = "use a date, such as 2026-03-01"
	if !v.scalar(want, "!!timestamp", "!!str") {
		return game.Date{}
	}
	d, err := game.ParseDate(v.node.Value)
	if err != nil {
		v.Report(fmt.Sprintf("%.40q is not a date", v.node.Value), want)
	}
	return d
}

// parseDuration reads whole numbers with the units d, h, m and s, each at most
// once and largest first: 8d, 1d12h, 90s. The numbers have so few digits that
// all together stay below a century, far from overflow.
func parseDuration(s string) (time.Duration, bool) {
	if s == "" {
		return 0, false
	}
	var total time.Duration
	for _, unit := range []struct {
		letter string
		length time.Duration
		digits int
	}{{"d", 24 * time.Hour, 4}, {"h", time.Hour, 5}, {"m", time.Minute, 7}, {"s", time.Second, 9}} {
		number, rest, has := strings.Cut(s, unit.letter)
		if !has {
			continue
		}
		n, ok := count(number, unit.digits)
		if !ok {
			return 0, false
		}
		total += time.Duration(n) * unit.length
		s = rest
	}
	return total, s == ""
}

// count reads 1 to most decimal digits.
func count(s string, most int) (int64, bool) {
	if s == "" || len(s) > most {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}
