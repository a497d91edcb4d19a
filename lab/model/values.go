package model

import "github.com/framedle/leaderboards/internal/game"

// Values are what a score of a mode that ranks by several stands for: the digits of a
// number in which each value has as many as it has steps, the first value the highest.
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

// reaches reports whether a score is as good as one that XP is given for, which is of
// the first value where there are several.
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
