package gamefile

import (
	"strings"
	"time"
)

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
