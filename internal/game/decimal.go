package game

import "strings"

// decimal is a number as it was written: digits times ten to the exponent.
// The digits neither begin nor end with 0, and are empty for the number 0.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// farExponent is the size from which on an exponent makes no difference: it is beyond every
// number that can be a score, even with all the digits of a large request.
const farExponent = 1 << 30

// readDecimal takes a JSON number (RFC 8259, section 6) apart.
func readDecimal(s string) (decimal, bool) {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	whole, s := leadingDigits(s)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return d, false
	}
	fraction := ""
	if rest, has := strings.CutPrefix(s, "."); has {
		if fraction, s = leadingDigits(rest); fraction == "" {
			return d, false
		}
	}
	if s != "" {
		exponent, ok := readExponent(s)
		if !ok {
			return d, false
		}
		d.exponent = exponent
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += len(digits) - len(d.digits) - len(fraction)
	return d, true
}

func leadingDigits(s string) (run, rest string) {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// readExponent reads all of e10, E+10 or e-10, stopping to count at
// farExponent.
func readExponent(s string) (int, bool) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	sign := 1
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	run, rest := leadingDigits(s)
	if run == "" || rest != "" {
		return 0, false
	}
	n := 0
	for i := range len(run) {
		n = min(n*10+int(run[i]-'0'), farExponent)
	}
	return sign * n, true
}
