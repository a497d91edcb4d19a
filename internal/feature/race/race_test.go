package race_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
)

func TestARaceStartsWhenItIsFull(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r, err := k.Create(ctx, race.Wanted{Player: "a", Mode: "daily", Size: 3})
		require.NoError(t, err)
		require.Equal(t, race.Waiting, r.State)
		r, err = k.Join(ctx, r.ID, "b")
		require.NoError(t, err)
		require.Equal(t, race.Waiting, r.State)
		again, err := k.Join(ctx, r.ID, "b")
		require.NoError(t, err)
		require.Equal(t, r, again)
		r, err = k.Join(ctx, r.ID, "c")
		require.NoError(t, err)
		require.Equal(t, race.Started, r.State)
		require.Equal(t, noon.Add(race.Lead), r.StartsAt)
		require.Equal(t, r.StartsAt.Add(race.RulesOf(k.game).Timeout), r.Until)
		require.Equal(t, []string{"a", "b", "c"}, names(r))
		_, err = k.Join(ctx, r.ID, "d")
		require.ErrorIs(t, err, race.ErrFull)
		_, err = k.See(ctx, r.ID, "d")
		require.ErrorIs(t, err, race.ErrUnknown)
		for _, player := range names(r) {
			seen, err := k.process().See(ctx, r.ID, player)
			require.NoError(t, err)
			require.Equal(t, r, seen)
		}
	})
}

// Nobody needs a notification: the first request after the wait sets the start.
func TestARaceOfTwoStartsAfterTheWait(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r, err := k.Create(ctx, race.Wanted{Player: "a", Mode: "daily"})
		require.NoError(t, err)
		k.clock.Pass(10 * time.Second) // alone: this is no wait for others
		_, err = k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		_, err = k.Join(ctx, r.ID, "b")
		require.NoError(t, err)
		for range 7 {
			k.clock.Pass(2 * time.Second)
			for _, player := range []string{"a", "b"} {
				r, err = k.See(ctx, r.ID, player)
				require.NoError(t, err)
				require.Equal(t, race.Waiting, r.State)
			}
		}
		k.clock.Pass(time.Second)
		first, err := k.See(ctx, r.ID, "b")
		require.NoError(t, err)
		require.Equal(t, race.Started, first.State)
		require.Equal(t, k.clock.Now().Add(race.Lead), first.StartsAt)
		k.clock.Pass(time.Second)
		second, err := k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, first, second)
	})
}

func TestWhoWaitsAndGoesSilentGivesTheSeatUp(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r, err := k.Create(ctx, race.Wanted{Player: "a", Mode: "daily", Size: 3})
		require.NoError(t, err)
		k.clock.Pass(race.RulesOf(k.game).Silent + time.Second)
		r, err = k.Join(ctx, r.ID, "b")
		require.NoError(t, err)
		require.Equal(t, []string{"b"}, names(r))
		_, err = k.Join(ctx, r.ID, "a")
		require.NoError(t, err)
		r, err = k.Leave(ctx, r.ID, "b")
		require.NoError(t, err)
		require.Equal(t, []string{"a"}, names(r))
		r, err = k.Leave(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, race.Expired, r.State)
	})
}

func TestPlacesAndRatingsOfARace(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		for i, player := range []string{"a", "b", "c", "d", "e"} {
			k.rate(t, player, 1000+float64(37*i))
		}
		before := k.ratings(t)
		r := k.started(t, "daily", "a", "b", "c", "d", "e")
		_, err := k.Report(ctx, r.ID, "golf", "a", 5)
		require.ErrorIs(t, err, race.ErrUnknown, "another mode")
		for player, score := range map[string]game.Score{"a": 500, "b": 900, "c": 500} {
			require.Equal(t, race.Started, k.tell(t, r, player, score).State)
		}
		_, err = k.Leave(ctx, r.ID, "d")
		require.NoError(t, err)
		_, err = k.Report(ctx, r.ID, "daily", "b", 901)
		require.ErrorIs(t, err, race.ErrOtherScore)
		_, err = k.Report(ctx, r.ID, "daily", "d", 901)
		require.ErrorIs(t, err, race.ErrOver)
		got := k.tell(t, r, "e", 100)
		require.Equal(t, race.Decided, got.State)
		require.Equal(t, map[string]int{"b": 1, "a": 2, "c": 2, "e": 4, "d": 5}, places(got))
		require.Equal(t, got, k.tell(t, r, "e", 100), "told again")
		holdsRatings(t, k, got, before)
	})
}

// holdsRatings compares a race's changes of ratings with the plain rule, and checks that they
// are stored.
func holdsRatings(t require.TestingT, k *kit, r race.Race, before map[string]float64) {
	var at []int
	var stood, stakes []float64
	for _, seat := range r.Seats {
		rating, rated := before[seat.Player]
		if !rated {
			rating = duel.RulesOf(k.game).Start
		}
		require.Equal(t, rating, seat.Rating.Before)
		at, stood, stakes = append(at, seat.Place), append(stood, rating), append(stakes, seat.K)
	}
	now := k.ratings(t)
	for i, change := range race.Changes(duel.RulesOf(k.game), at, stood, stakes) {
		seat := r.Seats[i]
		require.InDelta(t, stood[i]+change, seat.Rating.After, 1e-11, seat.Player)
		require.Equal(t, seat.Rating.After, now[seat.Player])
	}
}

func TestTheLeastScoreWinsWhereTheModeSaysSo(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "golf", "a", "b")
		k.tell(t, r, "a", 70)
		require.Equal(t, map[string]int{"a": 2, "b": 1}, places(k.tell(t, r, "b", 69)))
	})
}

func TestWhoTellsNothingIsOutAtTheEnd(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "daily", "a", "b", "c")
		k.tell(t, r, "b", 0)
		k.clock.Pass(race.RulesOf(k.game).Timeout)
		got, err := k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, race.Started, got.State, "never heard of is not silent")
		k.clock.Pass(time.Millisecond)
		got, err = k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 2}, places(got))
		_, err = k.Report(ctx, r.ID, "daily", "a", 900)
		require.ErrorIs(t, err, race.ErrOver)
	})
}

func TestWhoTellsTheirProgressAndGoesSilentIsOut(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "daily", "a", "b", "c")
		_, all, err := k.Progress(ctx, r.ID, "c", 0.25)
		require.NoError(t, err)
		require.Equal(t, []float64{0, 0, 0.25}, all)
		seen, err := k.process().See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, 0.25, seen.Seats[2].Progress, "another process knows it from Redis")
		k.tell(t, r, "a", 10)
		k.tell(t, r, "b", 20)
		k.clock.Pass(race.RulesOf(k.game).Silent)
		got, err := k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, race.Started, got.State)
		k.clock.Pass(time.Millisecond)
		got, err = k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, map[string]int{"a": 2, "b": 1, "c": 3}, places(got))
	})
}

// A process that follows a race shows within half a minute who was erased by another one.
func TestProgressShowsNobodyWhoWasErased(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "daily", "a", "b")
		_, _, err := k.Progress(ctx, r.ID, "b", 0.25)
		require.NoError(t, err)
		require.NoError(t, k.process().Erase(ctx, "b"))
		k.clock.Pass(30 * time.Second)
		require.False(t, k.Knows(r.ID, "a"))
		got, all, err := k.Progress(ctx, r.ID, "a", 0.5)
		require.NoError(t, err)
		require.Equal(t, []float64{0.5, 0.25}, all, "and nothing of the progress is lost")
		require.Equal(t, []string{"a", race.Erased}, names(got))
		require.True(t, k.Knows(r.ID, "a"))
	})
}

func TestARaceThatNobodyPlaysMovesNothing(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "daily", "a", "b")
		for _, player := range names(r) {
			_, err := k.Leave(ctx, r.ID, player)
			require.NoError(t, err)
		}
		got, err := k.See(ctx, r.ID, "a")
		require.NoError(t, err)
		require.Equal(t, race.Expired, got.State)
		require.Empty(t, k.ratings(t))
	})
}

func TestProgressIsTakenInFourTimesASecond(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "daily", "a", "b")
		for i, want := range []float64{0.1, 0.1, 0.1, 0.4} {
			_, all, err := k.Progress(ctx, r.ID, "a", float64(i+1)/10)
			require.NoError(t, err)
			require.Equal(t, want, all[0], i)
			k.clock.Pass(100 * time.Millisecond)
		}
		_, _, err := k.Progress(ctx, r.ID, "c", 0.5)
		require.ErrorIs(t, err, race.ErrUnknown)
		_, _, err = k.Progress(ctx, "nothing", "a", 0.5)
		require.ErrorIs(t, err, race.ErrUnknown)
	})
}

func TestTheQueueBringsPlayersOfAlikeRatingTogether(t *testing.T) {
	onEngines(t, "races: {players: 2}", func(t *testing.T, k *kit) {
		k.rate(t, "strong", 1600)
		k.rate(t, "equal", 1650)
		queue := func(player string) race.Race {
			r, err := k.Queue(ctx, player, "daily")
			require.NoError(t, err)
			return r
		}
		weak := queue("weak")
		require.Equal(t, []string{"weak"}, names(weak))
		require.Equal(t, []string{"strong"}, names(queue("strong")))
		require.Equal(t, weak.ID, queue("weak").ID, "asked again")
		met := queue("equal")
		require.Equal(t, []string{"strong", "equal"}, names(met))
		require.Equal(t, race.Started, met.State)
		require.Equal(t, met, queue("strong"))
		_, err := k.Queue(ctx, "strong", "golf")
		require.ErrorIs(t, err, race.ErrElsewhere)
		_, err = k.Create(ctx, race.Wanted{Player: "strong", Mode: "golf"})
		require.ErrorIs(t, err, race.ErrElsewhere)
		require.NoError(t, k.LeaveQueue(ctx, "strong"))
		require.Equal(t, met.ID, queue("strong").ID, "a race that has started stays")
		require.NoError(t, k.LeaveQueue(ctx, "weak"))
		require.NotEqual(t, weak.ID, queue("other").ID)
	})
}

// Two who were too far apart at first come together when the window has widened.
func TestWhoWaitsAloneComesToWhoHasWaitedLonger(t *testing.T) {
	onEngines(t, "races: {players: 2}\nduels: {queue: {window: 50, growth: 10, cap: 1000}}", func(t *testing.T, k *kit) {
		k.rate(t, "strong", 1200)
		for range 15 {
			for _, player := range []string{"weak", "strong"} {
				r, err := k.Queue(ctx, player, "daily")
				require.NoError(t, err)
				require.Len(t, r.Seats, 1)
			}
			k.clock.Pass(time.Second)
		}
		r, err := k.Queue(ctx, "strong", "daily")
		require.NoError(t, err)
		require.Equal(t, []string{"weak", "strong"}, names(r))
	})
}

func TestWhoMayNotMeetAreKeptApart(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.options.MayMeet = func(_ context.Context, player string, others ...string) error {
			if player == "a" && slices.Contains(others, "b") || player == "b" && slices.Contains(others, "a") {
				return race.ErrRefused
			}
			return nil
		}
		k.Store = race.New(k.options)
		a, err := k.Queue(ctx, "a", "daily")
		require.NoError(t, err)
		b, err := k.Queue(ctx, "b", "daily")
		require.NoError(t, err)
		require.NotEqual(t, a.ID, b.ID)
		for _, ask := range []func() error{
			func() error { _, err := k.See(ctx, a.ID, "b"); return err },
			func() error { _, err := k.Join(ctx, a.ID, "b"); return err },
		} {
			require.ErrorIs(t, ask(), race.ErrUnknown)
		}
		c, err := k.Queue(ctx, "c", "daily")
		require.NoError(t, err)
		require.Contains(t, []string{a.ID, b.ID}, c.ID)
	})
}

// Many ask at once, twice each, from processes of their own: nobody is in two
// races, and no race is more than full.
func TestEverybodyInTheQueueIsInOneRace(t *testing.T) {
	onEngines(t, "races: {players: 5}", func(t *testing.T, k *kit) {
		const players = 23
		var wait sync.WaitGroup
		for i := range players {
			process := k.process()
			for range 2 {
				wait.Go(func() {
					_, err := process.Queue(ctx, fmt.Sprint("p", i), "daily")
					require.NoError(t, err)
				})
			}
		}
		wait.Wait()
		in := map[string]string{}
		races := map[string]int{}
		for i := range players {
			player := fmt.Sprint("p", i)
			r, err := k.Queue(ctx, player, "daily")
			require.NoError(t, err)
			require.GreaterOrEqual(t, r.Seat(player), 0)
			in[player] = r.ID
			races[r.ID]++
		}
		for id, n := range races {
			r, err := k.See(ctx, id, first(in, id))
			require.NoError(t, err)
			require.Len(t, r.Seats, n, "who is in it says so")
			require.LessOrEqual(t, n, 5)
		}
	})
}

func first(in map[string]string, id string) string {
	for player, race := range in {
		if race == id {
			return player
		}
	}
	return ""
}

func TestWhoIsErasedCountsForNobody(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		r := k.started(t, "daily", "a", "b", "c")
		k.tell(t, r, "a", 10)
		k.tell(t, r, "b", 20)
		require.NoError(t, k.Erase(ctx, "b"))
		require.NoError(t, k.Erase(ctx, "b"))
		got := k.tell(t, r, "c", 5)
		require.Equal(t, map[string]int{"a": 1, "c": 2, race.Erased: 0}, places(got))
		require.Equal(t, map[string]float64{"a": 1016, "c": 984}, k.ratings(t))
		require.NoError(t, k.Erase(ctx, "a"))
		got, err := k.See(ctx, r.ID, "c")
		require.NoError(t, err)
		require.Equal(t, []string{race.Erased, race.Erased, "c"}, names(got))
		require.Equal(t, map[string]float64{"c": 984}, k.ratings(t))
	})
}

// The latest race of a player does not depend on its id if two were made in one millisecond,
// nor on a process whose clock is behind.
func TestTheLastRaceIsTheOneThatWasJoinedLast(t *testing.T) {
	for name, later := range map[string]time.Duration{"of one millisecond": 0, "by a clock that is behind": -3 * time.Second} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, "", func(t *testing.T, k *kit) {
				for id, player := range map[string]string{"z": "dee", "y": "bob"} {
					_, err := k.Create(ctx, race.Wanted{ID: id, Player: player, Mode: "daily", Size: 2})
					require.NoError(t, err)
				}
				_, err := k.Join(ctx, "z", "ana")
				require.NoError(t, err)
				_, err = k.Leave(ctx, "z", "dee")
				require.NoError(t, err)
				k.clock.Pass(later)
				_, err = k.Join(ctx, "y", "dee")
				require.NoError(t, err)
				_, err = k.Join(ctx, "z", "dee")
				require.ErrorIs(t, err, race.ErrElsewhere)
				_, err = k.Create(ctx, race.Wanted{ID: "x", Player: "dee", Mode: "daily", Size: 2})
				require.ErrorIs(t, err, race.ErrElsewhere)
			})
		})
	}
}
