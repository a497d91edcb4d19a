package budget

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// MostPace is the highest pace: 1,000%.
const MostPace = 10.0

// headStart is the part of a day's allowance that may be spent at any time of it.
// Without one, the first calls after midnight would be a pace beyond measure.
const headStart = 0.25

// Spent is what a month has cost so far, in billed commands.
type Spent struct {
	Before int64 // the days of the month before today
	Today  int64
}

// Allowance is what today may cost at a moment, in commands: an even part of
// what the month's budget has left; 0 where nothing is left.
func Allowance(month int64, s Spent, at time.Time) float64 {
	at = at.UTC()
	days := time.Date(at.Year(), at.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return float64(max(month-s.Before, 0)) / float64(days-at.Day()+1)
}

// ByNow is how much of an allowance may be spent at a moment of its day.
func ByNow(allowance float64, at time.Time) float64 {
	passed := at.Sub(game.DateOf(at).Midnight()).Hours() / 24
	return allowance * (headStart + (1-headStart)*passed)
}

// Pace is what today has cost as a part of what it may have cost by now: 1 is
// 100%. It is at most MostPace, and just that where the month has nothing left.
func Pace(month int64, s Spent, at time.Time) float64 {
	may := ByNow(Allowance(month, s, at), at)
	if may <= 0 {
		return MostPace
	}
	return min(float64(s.Today)/may, MostPace)
}
