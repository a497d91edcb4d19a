package race_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/race"
)

// begin empties Redis, and is a new process.
func (k *kit) begin() {
	k.redis.Empty()
	k.clock.Set(noon)
	k.Store = race.New(k.options)
}

// A player who leaves the queue while the race starts has either left before the start, or is
// still in the race: only leaving a race gives it up.
func TestWhoLeavesTheQueueAsTheRaceStartsHasNotGivenUp(t *testing.T) {
	onEngines(t, "races: {players: 2}", func(t *testing.T, k *kit) {
		begin := func() {
			k.begin()
			_, err := k.Queue(ctx, "a", "daily")
			require.NoError(t, err)
		}
		var met race.Race
		meanwhile := func() {
			var err error
			met, err = k.process().Queue(ctx, "b", "daily")
			require.NoError(t, err)
		}
		do := func() { require.NoError(t, k.LeaveQueue(ctx, "a")) }
		testkit.Overtaken(k.redis.Server, begin, do, meanwhile, func(when string) { k.racesOn(t, met, "a", "b", when) })
	})
}

// A player who waits alone would move to a race that has waited longer, but stays if their
// own race starts meanwhile.
func TestWhoChangesRacesAsTheirsStartsHasNotGivenUp(t *testing.T) {
	onEngines(t, "races: {players: 2}\nduels: {queue: {window: 50, growth: 10, cap: 1000}}", func(t *testing.T, k *kit) {
		begin := func() {
			k.begin()
			k.rate(t, "a", 1200)
			k.rate(t, "b", 1200)
			for range 15 {
				for _, player := range []string{"older", "a"} {
					r, err := k.Queue(ctx, player, "daily")
					require.NoError(t, err)
					require.Len(t, r.Seats, 1)
				}
				k.clock.Pass(time.Second)
			}
		}
		var met race.Race
		meanwhile := func() {
			var err error
			met, err = k.process().Queue(ctx, "b", "daily")
			require.NoError(t, err)
		}
		var own race.Race
		do := func() {
			var err error
			own, err = k.Queue(ctx, "a", "daily")
			require.NoError(t, err)
		}
		testkit.Overtaken(k.redis.Server, begin, do, meanwhile, func(when string) {
			require.GreaterOrEqual(t, own.Seat("a"), 0, when)
			require.False(t, own.Seats[own.Seat("a")].Left, when)
			k.racesOn(t, met, "a", "b", when)
		})
	})
}

// racesOn checks that none of two players has given up a race that both are in.
func (k *kit) racesOn(t *testing.T, r race.Race, a, b, when string) {
	r, err := k.Look(ctx, r.ID)
	require.NoError(t, err, when)
	if r.Seat(a) < 0 { // left before
		return
	}
	require.Equal(t, race.Started, r.State, when)
	k.clock.Pass(race.Lead)
	k.tell(t, r, b, 1)
	r = k.tell(t, r, a, 2)
	require.Equal(t, map[string]int{a: 1, b: 2}, places(r), when)
}

// A player who is erased while looking for a race is in that race or in none, never in two.
func TestWhoIsErasedWhileLookingForARaceIsInOne(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		begin := func() {
			k.begin()
			r := k.started(t, "daily", "a", "b")
			k.tell(t, r, "a", 1)
			k.tell(t, r, "b", 2)
		}
		do := func() { require.NoError(t, k.Erase(ctx, "a")) }
		var found race.Race
		meanwhile := func() {
			var err error
			found, err = k.process().Queue(ctx, "a", "daily")
			require.NoError(t, err)
		}
		testkit.Overtaken(k.redis.Server, begin, do, meanwhile, func(when string) {
			r, err := k.Look(ctx, found.ID)
			require.NoError(t, err, when)
			_, err = k.Create(ctx, race.Wanted{Player: "a", Mode: "golf"})
			if r.Seat("a") >= 0 {
				require.ErrorIs(t, err, race.ErrElsewhere, when)
			} else {
				require.NoError(t, err, when)
			}
		})
	})
}

// Of whoever is erased while they join a race, or a race of theirs goes on, nothing is left
// but what they do behind that; and the next erasure finds it.
func TestWhoIsErasedWhileARaceGoesOnLeavesNothing(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		var r race.Race
		for name, act := range map[string]struct {
			own  bool // it is the player's
			both bool // they are in the race before
			do   func()
		}{
			"joined":     {true, false, func() { _, _ = k.Join(ctx, r.ID, "ann") }},
			"told":       {true, true, func() { _, _ = k.Report(ctx, r.ID, r.Mode, "ann", 5) }},
			"told last":  {false, true, func() { _, _ = k.Report(ctx, r.ID, r.Mode, "ben", 5) }},
			"left":       {true, true, func() { _, _ = k.Leave(ctx, r.ID, "ann") }},
			"progressed": {true, true, func() { _, _, _ = k.Progress(ctx, r.ID, "ann", 0.5) }},
		} {
			begin := func() {
				k.begin()
				if act.both {
					r = k.started(t, "daily", "ben", "ann")
					if name == "told last" {
						k.tell(t, r, "ann", 3)
					}
					return
				}
				var err error
				r, err = k.Create(ctx, race.Wanted{Player: "ben", Mode: "daily", Size: 2})
				require.NoError(t, err)
			}
			erase := func() { require.NoError(t, k.process().Erase(ctx, "ann")) }
			testkit.Overtaken(k.redis.Server, begin, act.do, erase, func(when string) {
				if act.own {
					erase()
				}
				for place, words := range testkit.Words(t, k.redis.Server, k.redis.Do("KEYS", "*")) {
					require.False(t, words["ann"], "%s, erased %s: %s", name, when, place)
				}
			})
		}
	})
}
