package duel

import (
	"context"
	"math"

	"github.com/framedle/leaderboards/internal/game"
)

// standings reads where the history leaves everybody, with when that was where ratings
// decay.
func (k *Keeper) standings(ctx context.Context, without []string, page func([]Standing) error) error {
	if k.rules.Decay != nil {
		return k.history.LastStandings(ctx, k.rules.Start, without, page)
	}
	return k.history.Standings(ctx, k.rules.Start, without, page)
}

// reckoning is what ratings are at a moment, by what is kept of them: of two that are
// the same, both have the same losses before them. Where ratings do not decay, they are
// what is kept.
type reckoning struct {
	decay *game.RatingDecay
	week  int64
}

func (k *Keeper) reckoning() reckoning {
	return reckoning{k.rules.Decay, game.RatingWeek(k.now())}
}

// entry is a rating by an entry of the board.
func (r reckoning) entry(stored float64) game.Rating {
	if r.decay == nil {
		return game.Rating{Points: stored}
	}
	return r.decay.In(r.week, game.RatingOf(stored))
}

// kept is a rating by the history.
func (r reckoning) kept(s Standing) game.Rating {
	switch {
	case r.decay == nil:
		return game.Rating{Points: s.Rating}
	case s.Last.IsZero():
		return r.decay.In(r.week, game.Rating{Points: s.Rating, Through: s.Through})
	}
	return r.decay.In(r.week, r.decay.Leaves(s.Rating, game.RatingWeek(s.Last)))
}

// same reports whether two ratings are the same, but for the last bits of a sum.
func same(a, b game.Rating) bool {
	return a.Through == b.Through && math.Abs(a.Points-b.Points) <= exact
}

// through is through which week a rating has had its losses: where none does, this one,
// in case they will.
func (r reckoning) through(of game.Rating) int64 {
	if r.decay == nil {
		return r.week
	}
	return of.Through
}
