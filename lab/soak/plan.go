package soak

import (
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
)

// rng returns a random source for one purpose and day. Each purpose has its own, so that
// one decision more or less does not change all later ones.
func (o Options) rng(purpose string, n int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // never fails
	return rand.New(rand.NewPCG(o.Seed, h.Sum64()+uint64(n)))
}

// mostPlayers bounds Options.Players, so that a player's days are the same however many
// others play.
const mostPlayers = 1 << 20

// planDay assigns a day's plays to its steps; the last step is the grace after midnight.
// In one step a player plays a mode at most once, so the plays of a step can be sent in
// any order.
func (r *run) planDay(n int) [][]play {
	steps := make([][]play, r.Steps+1)
	d := r.Start.AddDays(n)
	for i, someone := range r.people {
		rng := r.rng("plays", n*mostPlayers+i)
		if r.model.Retired[int32(i)] || !someone.Comes(rng) {
			continue
		}
		own := r.scopes.of(someone)
		for mode, rule := range r.model.Rules {
			for step := range someone.Plays(rng, r.Steps) {
				steps[step] = append(steps[step], play{Play: model.Play{
					Mode: mode, Date: d, Player: int32(i), Scopes: own, Score: pickScore(rng, rule),
				}})
			}
		}
	}
	return steps
}

// pickScore draws mostly from a few values, so that there are many ties. Now and then it
// draws from the ends of the bounds.
func pickScore(rng *rand.Rand, m model.Rule) int64 {
	low, high := int64(m.Min), int64(m.Max)
	switch rng.IntN(40) {
	case 0:
		return low + rng.Int64N(high-low+1)
	case 1:
		return high - rng.Int64N(2)
	case 2:
		return low
	}
	return low + rng.Int64N(40)
}

// settled is the first moment, not before at, that is safely inside one tick of every
// mode with exact ticks, for the ticks of each date. Quarter gives all of these modes the
// same tick, so such a moment comes within seconds.
func (r *run) settled(at time.Time, dates ...game.Date) time.Time {
	for !r.inside(at, dates) {
		at = at.Add(10 * time.Millisecond)
	}
	return at
}

func (r *run) inside(at time.Time, dates []game.Date) bool {
	for _, m := range r.model.Rules {
		for _, d := range dates {
			if phase := at.Sub(d.Midnight()) % m.Tick; m.Exact && (phase < m.Tick/20 || phase > m.Tick/3) {
				return false
			}
		}
	}
	return true
}
