package game

import (
	"fmt"
	"strconv"
	"strings"
)

// Score is a true score in scaled units: with 2 decimals, 12.34 is 1234.
type Score int64

// ScoreFault is what is wrong with a submitted number.
type ScoreFault uint8

// The faults of a submitted number.
const (
	NotANumber    ScoreFault = iota // not a JSON number, or beyond 2^53, where doubles round
	TooManyPlaces                   // finer than the mode's decimals
	OutOfBounds                     // a good number outside the mode's Min and Max
)

// ScoreError says why a number is not a score of a mode.
type ScoreError struct {
	Kind   ScoreFault
	Detail string
}

func (e *ScoreError) Error() string { return e.Detail }

func scoreError(kind ScoreFault, format string, args ...any) *ScoreError {
	return &ScoreError{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

// MaxDecimals is the most decimal places a mode may have.
const MaxDecimals = 6

const (
	maxWhole    = 1 << 53 // the last whole number up to which a float64 has them all
	wholeDigits = 16      // digits of maxWhole
)

// ParseScore reads the text of a JSON number exactly: 800, 800.0 and 8e2 are
// the same. Numbers beyond 2^53 are refused, never rounded. The error is a
// *[ScoreError].
func (m *Mode) ParseScore(number string) (Score, error) {
	s, err := ParseScaled(number, m.Decimals)
	if err != nil {
		return 0, err
	}
	if s < m.Min || s > m.Max {
		return 0, scoreError(OutOfBounds, "%.40s is outside the bounds; use %s to %s",
			number, m.FormatScore(m.Min), m.FormatScore(m.Max))
	}
	return s, nil
}

// FormatScore is the shortest decimal text of a score: 800, 12.34, -0.5. It
// is a valid JSON number.
func (m *Mode) FormatScore(s Score) string { return FormatScaled(s, m.Decimals) }

// ParseScaled reads the text of a JSON number with up to the given decimals, 0
// to 6, and scales it to a whole number. The error is a *[ScoreError]: it is
// OutOfBounds only if the scaled number would leave 2^53.
func ParseScaled(number string, decimals int) (Score, error) {
	d, ok := readDecimal(number)
	switch {
	case !ok:
		return 0, scoreError(NotANumber, "%.40q is not a number; use decimal digits as in JSON", number)
	case d.digits == "":
		return 0, nil
	case len(d.digits)+d.exponent > wholeDigits:
		return 0, scoreError(NotANumber, "%.40s is beyond 2^53; use a smaller number", number)
	case -d.exponent > decimals:
		return 0, scoreError(TooManyPlaces, "%.40s has too many decimal places; use at most %d", number, decimals)
	}
	// At most 16 digits of whole part and 6 of fraction: each half fits.
	digits := d.digits + strings.Repeat("0", decimals+d.exponent)
	cut := max(len(digits)-decimals, 0)
	whole, _ := strconv.ParseInt("0"+digits[:cut], 10, 64)
	fraction, _ := strconv.ParseInt("0"+digits[cut:], 10, 64)
	if whole > maxWhole || whole == maxWhole && fraction > 0 {
		return 0, scoreError(NotANumber, "%.40s is beyond 2^53; use a smaller number", number)
	}
	unit := pow10(decimals)
	if whole > maxWhole/unit {
		return 0, scoreError(OutOfBounds, "%.40s is too large for %d decimal places; use at most %d",
			number, decimals, maxWhole/unit)
	}
	scaled := whole*unit + fraction
	if d.negative {
		scaled = -scaled
	}
	return Score(scaled), nil
}

// FormatScaled is the inverse of [ParseScaled], in the shortest form.
func FormatScaled(s Score, decimals int) string { return string(AppendScaled(nil, s, decimals)) }

// AppendScaled appends what FormatScaled writes.
func AppendScaled(b []byte, s Score, decimals int) []byte {
	if s < 0 {
		b = append(b, '-')
	}
	unit := uint64(pow10(decimals))
	magnitude := magnitudeOf(s)
	b = strconv.AppendUint(b, magnitude/unit, 10)
	fraction := magnitude % unit
	if fraction == 0 {
		return b
	}
	b = append(b, '.')
	for ; fraction > 0; fraction %= unit {
		unit /= 10
		b = append(b, byte('0'+fraction/unit))
	}
	return b
}

func pow10(n int) int64 {
	unit := int64(1)
	for range n {
		unit *= 10
	}
	return unit
}

func magnitudeOf(s Score) uint64 {
	if s < 0 {
		return -uint64(s)
	}
	return uint64(s)
}

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
