package usage

import (
	"math"
	"strconv"
)

// Redis has counts as decimal numbers with spaces between them.

// addNumbers adds each of more to its number of into. A number that would overflow stays at the
// largest int64.
func addNumbers(into, more []*int64) {
	for i, n := range into {
		if *n > math.MaxInt64-*more[i] {
			*n = math.MaxInt64
			continue
		}
		*n += *more[i]
	}
}

func packNumbers(all []*int64) string {
	b := make([]byte, 0, 64)
	for i, n := range all {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, *n, 10)
	}
	return string(b)
}

// unpackNumbers reads as many numbers as there are texts. If a text is no whole number from 0
// on, it returns the place of the first such text, counted from 1; else 0.
func unpackNumbers(texts []string, into []*int64) (wrong int) {
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return i + 1
		}
		*into[i] = n
	}
	return 0
}
