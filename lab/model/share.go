package model

import "math"

// IsShare reports whether a percentage, rounded to two decimals, is that of n of total.
func IsShare(percent float64, n, total int64) bool {
	return math.Abs(percent-100*float64(n)/float64(total)) < 0.00501
}
