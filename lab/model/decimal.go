package model

import (
	"strconv"
	"strings"
)

// Scaled reads a decimal of the API exactly. It returns false if the text is not a
// score of the mode.
func Scaled(text string, decimals int) (int64, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > decimals {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", decimals-len(fraction)), 10, 64)
	return n, err == nil
}

// Written is the inverse of Scaled.
func Written(score int64, decimals int) string {
	sign := ""
	if score < 0 {
		sign, score = "-", -score
	}
	digits := strconv.FormatInt(score, 10)
	if decimals == 0 {
		return sign + digits
	}
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits
	cut := len(digits) - decimals
	return strings.TrimRight(strings.TrimRight(sign+digits[:cut]+"."+digits[cut:], "0"), ".")
}
