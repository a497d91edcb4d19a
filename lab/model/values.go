package model

import "github.com/framedle/leaderboards/internal/game"

// Values unpacks a score of a mode with several values. The score is a number in a mixed
// base: each value is one digit, in a base that is the number of its steps, and the first
// value is the highest digit.
func (r Rule) Values(score int64) []int64 {
	values := make([]int64, len(r.Mode.Values))
	for i := len(values) - 1; i >= 0; i-- {
		v := r.Mode.Values[i]
		base := int64(v.Max) - int64(v.Min) + 1
		digit := score % base
		if i == 0 {
			digit = score
		}
		score /= base
		if v.Order == r.Order {
			values[i] = int64(v.Min) + digit
		} else {
			values[i] = int64(v.Max) - digit
		}
	}
	return values
}

// reaches reports whether score is at least as good as at. In a mode with several values,
// at is compared with the first value.
func (r Rule) reaches(score, at int64) bool {
	if len(r.Mode.Values) == 0 {
		return !r.ahead(at, score)
	}
	first := r.Values(score)[0]
	if r.Mode.Values[0].Order == game.Asc {
		return first <= at
	}
	return first >= at
}
