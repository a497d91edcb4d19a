package world_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// begins empties the sites. Each site but the first then has plays on a day that is over and
// today, and has published its boards.
func (k *kit) begins(at ...*site) {
	k.empty()
	k.clock.Set(noon)
	for i, s := range at {
		k.play(k.t, s, "best", fmt.Sprint("old", i), 5)
		k.play(k.t, s, "best", "both", game.Score(7+i))
		k.run(k.t, s)
	}
	k.clock.Pass(2 * 24 * time.Hour)
	for i, s := range at {
		k.play(k.t, s, "best", fmt.Sprint("new", i), 6)
		k.play(k.t, s, "best", "both", game.Score(9-i))
	}
	for _, s := range at {
		k.run(k.t, s)
	}
}

// daysOf returns all periods of the days that are played.
func (k *kit) daysOf() (all []game.Period) {
	today := k.game.Today(k.clock.Now())
	for _, d := range []game.Date{today, today.AddDays(-2)} {
		for _, p := range append([]game.Period{game.Day.Of(d)}, k.game.PeriodsOf(d)...) {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// united requires that a site's boards of the world are made of what all sites have.
func (k *kit) united(s *site, when string) {
	m := testkit.Mode(k.t, k.game, "best")
	for _, p := range k.daysOf() {
		all := map[string]float64{}
		for _, of := range k.sites {
			join(all, k.whole(k.t, of, m, p), m.Order)
		}
		require.Equal(k.t, all, k.entries(k.t, s, world.BoardOf(m, p).Key), "%s %s", p.Key(), when)
	}
}

// If a site's Redis is lost during a merge, the following merges make its boards of the world
// again.
func TestALossDuringAMergeIsMadeGoodByTheNext(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		k.sites = k.sites[:2]
		a, b := k.sites[0], k.sites[1]
		for n, more := 1, true; more; n++ {
			k.begins([][]*site{{a, b}, {b}}[n%2]...)
			end := testkit.Before(a.redis.Server, n, func() { a.redis.Do("FLUSHALL") })
			k.clock.Pass(3 * time.Second)
			_, err := k.merge(a).Run(k.t.Context())
			more = end()
			when := fmt.Sprintf("lost before request %d of a merge, which said %v", n, err)
			for range 2 {
				k.start(a)
				k.clock.Pass(5 * time.Minute)
				k.run(k.t, a)
			}
			k.united(a, when)
		}
	})
}

// A player who is erased at a site during a merge leaves the boards of the world with the
// following merges.
func TestWhoIsErasedDuringAMergeLeavesTheWorld(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		k.sites = k.sites[:2]
		a, b := k.sites[0], k.sites[1]
		begin := func() { k.begins(a, b) }
		do := func() {
			k.clock.Pass(3 * time.Second)
			_, _ = k.merge(a).Run(k.t.Context())
		}
		erase := func() {
			k.start(a)
			_, err := a.Repair.Erase(k.t.Context(), "old0", lifecycle.Erasure{})
			require.NoError(k.t, err)
		}
		testkit.Overtaken(a.redis.Server, begin, do, erase, func(when string) {
			for _, s := range []*site{a, b, a} {
				k.clock.Pass(5 * time.Minute)
				k.run(k.t, s)
			}
			for _, s := range []*site{a, b} {
				k.united(s, "erased "+when)
			}
		})
	})
}
