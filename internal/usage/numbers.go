package usage

import (
	"math"
	"strconv"
)

// Counts are kept as decimal numbers with spaces between them.

// addNumbers adds each of more to its number of into, which stops at the largest number there
// is.
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

// unpackNumbers reads as many numbers as there are texts. It returns the place, from 1 on, of
// the first text that is no whole number from 0 on; 0: there is none.
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
