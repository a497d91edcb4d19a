package soak

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
)

// imports plays the operator, who sends scores for days that are closed to players.
func (r *run) imports(ctx context.Context, n int, rng *rand.Rand) error {
	r.stirred = true
	var plays []play
	seen := map[[3]int]bool{}
	for range 1 + rng.IntN(2*len(r.model.IDs)) {
		back := 1 + rng.IntN(r.ImportDays)
		at := [3]int{rng.IntN(len(r.model.Rules)), rng.IntN(len(r.model.IDs)), n - back}
		d := r.Start.AddDays(at[2])
		// Without history, a week stays as it is once its first days have expired in
		// Redis.
		lost := !r.History && !game.Week.Of(d).Contains(r.Start.AddDays(n))
		if at[2] < 0 || seen[at] || r.model.Retired[int32(at[1])] || lost {
			continue
		}
		seen[at] = true
		p := play{Play: model.Play{
			Mode: at[0], Player: int32(at[1]), Date: d, Score: pickScore(rng, r.model.Rules[at[0]]), Scopes: r.scopes.of(r.people[at[1]]),
		}}
		p.at = r.settled(d.Midnight().Add(time.Duration(rng.Int64N(int64(day)))), d)
		plays = append(plays, p)
	}
	for batch := range slices.Chunk(plays, batchMost) {
		q, err := r.batch(batch, r.calls.importing())
		if err != nil {
			return err
		}
		q.at = r.now
		if err := r.send(ctx, q, false); err != nil {
			return err
		}
	}
	return nil
}
