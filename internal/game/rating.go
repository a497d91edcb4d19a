package game

import (
	"fmt"
	"math"
	"time"
)

// RatingDecay lowers the ratings of players who no longer duel. For each whole week without a
// rated duel or race, beyond the first After of them, a rating loses Points, but does not come
// below Floor. Weeks are calendar weeks, from Monday to Sunday in UTC, so everybody's rating
// comes down at the same midnight of the week.
//
// A rating follows from the rating after the last duel and from the week of that duel. Nothing
// is multiplied, so several losses together are their sum, and it makes no difference when they
// are written into the entry, how often, or whether at all.
type RatingDecay struct {
	After  int   // weeks that cost nothing; 0 to 52
	Points int64 // a week; 1 to 1000
	Floor  int64 // no rating comes below it by decay; a rating below it stays as it is; 0 to 100,000
}

const (
	mostIdleWeeks  = 52
	mostWeekPoints = 1000
)

// Ratings that decay are whole multiples of 1/RatingUnits of a point. So a float64 has room
// for the week up to which a rating is settled, in 1/RatingWeeks of such a unit. Rating and
// week are one entry of the board of ratings, which stays in the order of the ratings; nothing
// else has to be read or written. There is room for ratings up to two million.
const (
	RatingUnits = 1 << 20
	RatingWeeks = 1 << 12 // until 2102
)

// RatingWeek is the number of the week in UTC that a moment is in, counted from the week of 1
// January 2024; 0 before that.
func RatingWeek(at time.Time) int64 {
	return max(0, int64(DateOf(at).DaysSince(decayEpoch)/7))
}

// Rating is a rating that decays.
type Rating struct {
	Points float64
	// Through is the last week that costs the rating nothing more: its loss was taken, or it
	// has none.
	Through int64
}

// Leaves is the rating after a duel of a week.
func (r *RatingDecay) Leaves(points float64, week int64) Rating {
	return Rating{points, week + 1 + int64(r.After)}
}

// In is the rating in a week. Ratings that are equal in it are equal in all later weeks.
func (r *RatingDecay) In(week int64, of Rating) Rating {
	floor := float64(r.Floor)
	if lost := week - of.Through; lost > 0 && of.Points > floor {
		of = Rating{max(floor, of.Points-float64(lost*r.Points)), week}
	}
	if of.Points <= floor {
		of.Through = 0 // there is nothing to lose
	}
	return of
}

// Settled is an entry of the board of ratings as it is in a week.
func (r *RatingDecay) Settled(week int64, stored float64) float64 {
	return r.In(week, RatingOf(stored)).Stored()
}

// Stored is the rating as an entry of the board of ratings.
func (of Rating) Stored() float64 {
	return of.Points + float64(of.Through)/(RatingUnits*RatingWeeks)
}

// RatingOf reads an entry of the board of ratings.
func RatingOf(stored float64) Rating {
	units := math.Floor(stored * RatingUnits)
	return Rating{units / RatingUnits, int64((stored*RatingUnits - units) * RatingWeeks)}
}

// Check reports what is wrong with the rule.
func (r *RatingDecay) Check(c *Checker) {
	if r == nil {
		return
	}
	c.Within("duels.decay.after", float64(r.After), 0, mostIdleWeeks)
	if r.Points < 1 || r.Points > mostWeekPoints {
		c.Add("duels.decay.points", fmt.Sprintf("%d is out of range", r.Points), fmt.Sprintf("use what an idle week costs, 1 to %d", mostWeekPoints), "duels.decay")
	}
	c.Within("duels.decay.floor", float64(r.Floor), 0, 100_000)
}
