package duel

import (
	"context"
	"math"

	"github.com/framedle/leaderboards/internal/game"
)

// standings reads everybody's standing from the history. If ratings decay, it includes the
// time of the last duel.
func (k *Keeper) standings(ctx context.Context, without []string, page func([]Standing) error) error {
	if k.rules.Decay != nil {
		return k.history.LastStandings(ctx, k.rules.Start, without, page)
	}
	return k.history.Standings(ctx, k.rules.Start, without, page)
}

// reckoning computes the ratings of this week from kept ones. Two ratings that it finds equal
// have also lost the same so far. If ratings do not decay, it leaves kept ratings as they
// are.
type reckoning struct {
	decay *game.RatingDecay
	week  int64
}

func (k *Keeper) reckoning() reckoning {
	return reckoning{k.rules.Decay, game.RatingWeek(k.now())}
}

// entry is the rating of an entry on the board.
func (r reckoning) entry(stored float64) game.Rating {
	if r.decay == nil {
		return game.Rating{Points: stored}
	}
	return r.decay.In(r.week, game.RatingOf(stored))
}

// archivedRating is the rating of a standing in the history.
func (r reckoning) archivedRating(s Standing) game.Rating {
	switch {
	case r.decay == nil:
		return game.Rating{Points: s.Rating}
	case s.Last.IsZero():
		return r.decay.In(r.week, game.Rating{Points: s.Rating, Through: s.Through})
	}
	return r.decay.In(r.week, r.decay.Leaves(s.Rating, game.RatingWeek(s.Last)))
}

// same reports whether two ratings are equal, except for the last bits of a sum.
func same(a, b game.Rating) bool {
	return a.Through == b.Through && math.Abs(a.Points-b.Points) <= exact
}

// through is the week up to which a rating has had its losses. If ratings do not decay, it is
// this week, in case they decay later.
func (r reckoning) through(of game.Rating) int64 {
	if r.decay == nil {
		return r.week
	}
	return of.Through
}
