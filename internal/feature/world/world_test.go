package world_test

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

func TestASiteThatIsDownLeavesWhatItSaidLastAndOneThatAnswersOldIsNotCopied(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t := k.t
		day := k.periods()[0]
		a, gone, lags := k.sites[0], k.sites[1], k.sites[2]
		k.play(t, a, "best", "ann", 1)
		k.play(t, gone, "best", "bob", 2)
		k.play(t, lags, "best", "cat", 3)
		k.run(t, gone)
		k.run(t, lags)
		k.run(t, a)
		first := lags.hash(world.StateKey)
		k.clock.Pass(5 * time.Minute)
		k.play(t, lags, "best", "cat", 4)
		k.run(t, lags)
		k.run(t, a)

		lags.putHash(world.StateKey, first)
		gone.redis.Server.Inject(down)
		k.play(t, a, "best", "ann", 5)
		k.clock.Pass(15 * time.Minute)
		report := k.run(t, a)
		require.Contains(t, report.Sites["c"].Problem, "it returns an older state than before, by 5m")
		require.NotEmpty(t, report.Sites["b"].Problem)
		require.Greater(t, report.Sites["b"].AgeSeconds, int64(20*60))

		page := k.page(t, a, "best", day)
		var said []string
		for _, e := range page.Entries {
			said = append(said, fmt.Sprint(e.Rank, " ", e.Player, " ", e.Score))
		}
		require.Equal(t, []string{"1 ann 5", "2 cat 4", "3 bob 2"}, said)
		require.EqualValues(t, 3, page.Players)
		ages := map[string]int{}
		for _, s := range page.Sites {
			ages[s.Name] = int(k.clock.Now().Sub(s.AsOf) / time.Minute)
		}
		require.Equal(t, map[string]int{"a": 0, "b": 20, "c": 15}, ages)
	})
}

func TestSitesWithOtherRulesOrAClockAheadAreRefused(t *testing.T) {
	k := newKit(t, testGame, "", "")
	a, b := k.sites[0], k.sites[1]
	other := *k.game
	other.Modes = slices.Clone(other.Modes)
	asc := *other.Modes[0]
	asc.Order, asc.Aggregate = game.Asc, game.Min
	other.Modes[0] = &asc
	of := k.game
	k.game = &other
	k.start(b)
	k.play(t, b, "best", "bob", 2)
	k.play(t, b, "fast", "bob", 2)
	k.run(t, b)
	k.game = of
	report := k.run(t, a)
	require.Contains(t, report.Sites["b"].Problem, "lb:best:2026-11-18: it has other rules, so its scores are not comparable")
	require.Empty(t, k.page(t, a, "best", k.periods()[0]).Entries)
	require.Len(t, k.page(t, a, "fast", k.periods()[0]).Entries, 1, "the other mode has the same rules")

	k.clock.Pass(time.Hour)
	k.run(t, b)
	k.clock.Pass(-20 * time.Minute)
	require.Contains(t, k.run(t, a).Sites["b"].Problem, "its clock is ahead, by 19m")
}

func TestManyRunsAtOnceEndWithOneBoard(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t := k.t
		a, other := k.sites[0], k.sites[1]
		k.play(t, a, "best", "ann", 1)
		var wg sync.WaitGroup
		for n := range 4 {
			k.play(t, other, "best", fmt.Sprint("p", n), game.Score(n+1))
			for range 2 {
				for _, s := range []*site{a, other} {
					wg.Go(func() { _, _ = k.merge(s).Run(t.Context()) })
				}
			}
		}
		wg.Wait()
		k.run(t, other)
		k.run(t, a)
		for _, p := range k.periods() {
			m := testkit.Mode(t, k.game, "best")
			all := k.whole(t, a, m, p)
			join(all, k.whole(t, other, m, p), m.Order)
			require.Len(t, all, 5)
			require.Equal(t, all, k.entries(t, a, world.BoardOf(m, p).Key), "%s", p.Kind())
		}
	})
}

// TestAWeekThatWasSeenRightBeforeAScoreFollows adds a score during the refresh of a week that
// somebody has just looked at, right before a merge, or two of them.
func TestAWeekThatWasSeenRightBeforeAScoreFollows(t *testing.T) {
	for _, merges := range []int{1, 2} {
		t.Run(fmt.Sprint(merges), func(t *testing.T) {
			onEngines(t, testGame, func(k *kit) { weekFollowsAfter(k, merges) })
		})
	}
}

func weekFollowsAfter(k *kit, merges int) {
	t, a, m := k.t, k.sites[0], testkit.Mode(k.t, k.game, "best")
	week := game.Week.Of(k.game.Today(k.clock.Now()))
	k.play(t, a, "best", "ann", 1)
	k.run(t, a)
	k.clock.Pass(time.Minute)
	k.clock.Stop()
	_, err := a.Boards.Page(t.Context(), game.BoardOf(m, week, game.Scope{}), game.PageRequest{Limit: 1})
	require.NoError(t, err)
	k.play(t, a, "best", "ann", 9)
	for range merges {
		_, err = k.merge(a).Run(t.Context())
		require.NoError(t, err)
		k.clock.Pass(time.Millisecond)
	}
	require.EqualValues(t, 9, k.page(t, a, "best", k.periods()[0]).Entries[0].Score)
	k.clock.Pass(5 * time.Minute)
	_, err = k.merge(a).Run(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 9, k.page(t, a, "best", week).Entries[0].Score)
}

func TestWhatARunCosts(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t, a, other := k.t, k.sites[0], k.sites[1]
		k.sites = k.sites[:2]
		cost := func() (here, there int64) {
			k.clock.Pass(5 * time.Minute)
			there, _ = testkit.Spent(other.reader.Meter(), func() {
				before := a.redis.Ran()
				here, _ = a.redis.Spent(func() {
					_, err := k.merge(a).Run(t.Context())
					require.NoError(t, err)
				})
				require.EqualValues(t, here, a.redis.Ran()-before, "the meter and Redis itself disagree")
			})
			return here, there
		}
		for score := range 3 { // the first brings the scripts to Redis
			k.play(t, a, "best", "ann", game.Score(score+1))
			k.play(t, other, "best", "bob", game.Score(score+1))
			k.run(t, other)
			here, there := cost()
			if score > 0 {
				// One mode's day, week, month and all time have changed on both sides.
				require.Equal(t, []int64{133, 9}, []int64{here, there})
			}
		}
		cost() // looks once more
		here, there := cost()
		require.Equal(t, []int64{16, 1}, []int64{here, there}, "nothing has changed: two modes, two dates")
	})
}

func TestNamesComeAlongAndHiddenPlayersStayHidden(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t, a, b, day := k.t, k.sites[0], k.sites[1], k.periods()[0]
		name := func(player, name string, hidden bool) {
			_, err := b.Players.ChangeProfile(t.Context(), player, profileChange(name, hidden))
			require.NoError(t, err)
		}
		k.play(t, b, "best", "bob", 2)
		k.play(t, b, "best", "hid", 1)
		name("bob", "Bob", false)
		name("hid", "Hidden", true)
		shown := func() (names []string) {
			for _, e := range k.page(t, a, "best", day).Entries {
				names = append(names, e.Profile.Name)
			}
			return names
		}
		k.run(t, b)
		k.run(t, a)
		require.Equal(t, []string{"Bob", ""}, shown())
		name("bob", "Bobby", false)
		k.clock.Pass(5 * time.Hour)
		k.run(t, b)
		k.run(t, a)
		require.Equal(t, []string{"Bob", ""}, shown(), "names are read again after six hours")
		k.clock.Pass(2 * time.Hour)
		k.run(t, b)
		k.run(t, a)
		require.Equal(t, []string{"Bobby", ""}, shown())
		_, err := b.Repair.RemoveScore(t.Context(), testkit.Mode(t, k.game, "best"), k.game.Today(k.clock.Now()), "bob", nil)
		require.NoError(t, err)
		k.run(t, b)
		k.run(t, a)
		require.NotContains(t, a.hash(world.ShownKey("b", "lb:best:2026-11-18")), "bob")
		require.Equal(t, []string{""}, shown())
	})
}

func TestAScoreThatIsTakenOffADayThatIsOverLeavesTheWorld(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t, a, b, m, day := k.t, k.sites[0], k.sites[1], testkit.Mode(k.t, k.game, "best"), k.periods()[0]
		k.play(t, b, "best", "bob", 2)
		k.run(t, b)
		k.run(t, a)
		k.clock.Pass(3 * 24 * time.Hour)
		k.run(t, b)
		k.run(t, a)
		require.Len(t, k.page(t, a, "best", day).Entries, 1)
		_, err := b.Repair.RemoveScore(t.Context(), m, day.First(), "bob", nil)
		require.NoError(t, err)
		k.clock.Pass(5 * time.Minute)
		k.run(t, b)
		k.run(t, a)
		require.Empty(t, k.page(t, a, "best", day).Entries)
		require.Empty(t, k.page(t, a, "best", game.AllTime.Of(day.First())).Entries)
	})
}

// A removed player leaves the world within two merges, even if no day shows the removal any
// more: the player's day has been closed again, or was rolled up long ago.
func TestWhoIsTakenOutOfDaysThatAreOverLeavesTheWorld(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t, a, b, m := k.t, k.sites[0], k.sites[1], testkit.Mode(k.t, k.game, "best")
		for name, takeOut := range map[string]func(day game.Date){
			"closed again": func(day game.Date) {
				_, err := b.Repair.RemoveScore(t.Context(), m, day, "bob", nil)
				require.NoError(t, err)
				b.redis.Do("HSET", game.ClosedKey, game.ClosedDay("best", day), derive.ClosedMark)
			},
			"rolled up": func(game.Date) {
				_, err := b.Repair.Erase(t.Context(), "bob", lifecycle.Erasure{})
				require.NoError(t, err)
			},
		} {
			k.empty()
			k.clock.Set(noon)
			day := k.periods()[0]
			k.play(t, b, "best", "bob", 2)
			k.run(t, b)
			k.clock.Pass(3 * 24 * time.Hour)
			if name == "rolled up" {
				k.clock.Pass(4 * 24 * time.Hour)
				view, err := b.Rollup.Calendar.Survey(t.Context())
				require.NoError(t, err)
				_, err = b.Days.RollUpDays(t.Context(), view)
				require.NoError(t, err)
				k.clock.Pass(5 * 24 * time.Hour)
			}
			b.redis.Do("HSET", game.ClosedKey, game.ClosedDay("best", day.First()), derive.ClosedMark)
			k.run(t, b)
			k.run(t, a)
			require.Len(t, k.page(t, a, "best", game.AllTime.Of(day.First())).Entries, 1, name)
			takeOut(day.First())
			k.clock.Pass(5 * time.Minute)
			k.run(t, b)
			k.run(t, a)
			for _, p := range append(k.game.PeriodsOf(day.First()), day) {
				if k.game.Lifecycle(p, k.clock.Now()) != game.Expired {
					require.Empty(t, k.page(t, a, "best", p).Entries, "%s %s", p.Key(), name)
				}
			}
		}
	})
}

// TestNothingIsLeftOfBoardsThatHaveExpired and of sites that are named no more.
func TestNothingIsLeftOfBoardsThatHaveExpired(t *testing.T) {
	k := newKit(t, testGame, "", "", "")
	a := k.sites[0]
	for _, s := range k.sites {
		k.play(t, s, "best", s.name, 2)
		k.run(t, s)
	}
	k.run(t, a)
	require.Len(t, k.page(t, a, "best", k.periods()[0]).Entries, 3)
	k.sites = k.sites[:2]
	k.run(t, a)
	require.Len(t, k.page(t, a, "best", k.periods()[0]).Entries, 2, "the third is named no more")
	for _, key := range a.keys() {
		require.NotContains(t, key, ":c:")
	}
	ends := regexp.MustCompile(`^world:(top:|copy:|shown:|lb:).*(2026-11|week|month)`)
	for _, key := range a.keys() {
		if ends.MatchString(key) {
			require.Positive(t, a.redis.Do("TTL", key), key)
		}
	}
	k.clock.Pass(400 * 24 * time.Hour)
	for _, s := range k.sites {
		k.run(t, s)
	}
	k.run(t, a)
	for _, key := range []string{world.StateKey, world.MadeKey, world.CopiesKey("b")} {
		for field := range a.hash(key) {
			require.Regexp(t, `^(:looked|lb:best:alltime)$`, field, key)
		}
	}
}

func TestWhoIsBelowTheTopHasAPercentile(t *testing.T) {
	k := newKit(t, testGame, "", "", "")
	const each = 150
	for i, s := range k.sites {
		for n := range each {
			k.play(t, s, "best", fmt.Sprintf("%s%03d", s.name, n), game.Score(3*n+i+1))
			k.play(t, s, "fast", fmt.Sprintf("%s%03d", s.name, n), game.Score(3*n+i+1))
		}
	}
	for range 2 {
		for _, s := range k.sites {
			k.run(t, s)
		}
	}
	day := k.periods()[0]
	for _, at := range []struct {
		mode   string
		better func(n int) int64 // than score n+1, which is the n-th lowest of all
	}{{"best", func(n int) int64 { return int64(3*each - 1 - n) }}, {"fast", func(n int) int64 { return int64(n) }}} {
		for n := range 3 * each {
			s := k.sites[n%3]
			own, ok := k.own(t, s, at.mode, day, fmt.Sprintf("%s%03d", s.name, n/3))
			require.True(t, ok)
			better := at.better(n)
			if better < 100 {
				require.EqualValues(t, better+1, own.Rank)
				continue
			}
			require.Zero(t, own.Rank)
			require.InDelta(t, better, own.Better, 3*each/20, "a part of each site's players at the most")
			require.InDelta(t, better, own.Better, 8, "where they are spread evenly it is closer")
		}
	}
}

// TestOnesOwnNewScoreCountsBeforeTheNextMerge has a player ask in between.
func TestOnesOwnNewScoreCountsBeforeTheNextMerge(t *testing.T) {
	onEngines(t, testGame, func(k *kit) {
		t, a, b, day := k.t, k.sites[0], k.sites[1], k.periods()[0]
		k.play(t, a, "best", "ann", 1)
		k.play(t, b, "best", "bob", 5)
		k.play(t, b, "best", "ann", 3)
		k.run(t, b)
		k.run(t, a)
		own, ok := k.own(t, a, "best", day, "ann")
		require.True(t, ok)
		require.EqualValues(t, []int64{2, 3}, []int64{own.Rank, int64(own.Score)}, "the other site has her better score")
		k.play(t, a, "best", "ann", 9)
		own, _ = k.own(t, a, "best", day, "ann")
		require.EqualValues(t, []int64{1, 9}, []int64{own.Rank, int64(own.Score)})
		_, ok = k.own(t, a, "best", day, "nobody")
		require.False(t, ok)
	})
}

// TestAllTimeInBandsIsMerged as one sorted set is.
func TestAllTimeInBandsIsMerged(t *testing.T) {
	const text = "name: test\nrefresh: 1s\ncache: 0s\nworld: {top: 150, periods: [alltime]}\nmodes:\n  best: {policy: best, max: 1000, aggregate: max, bands: {from: 100, most: 400}}\n"
	k := newKit(t, text, "", "")
	for i, s := range k.sites {
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) } // other processes are waited for by it
		k.start(s)
		for n := range 180 {
			k.play(t, s, "best", fmt.Sprintf("%s%03d", s.name, n), game.Score(2*n+i+1))
		}
		for range 5 {
			k.clock.Pass(time.Minute)
			_, err := s.Rollup.Banded.TendBands(t.Context(), 10*time.Millisecond)
			require.NoError(t, err)
		}
		in, err := s.Rollup.Banded.AllTimeInBands(t.Context(), k.game.Modes[0])
		require.NoError(t, err)
		require.NotNil(t, in, "the board is in bands")
	}
	for range 2 {
		for _, s := range k.sites {
			k.run(t, s)
		}
	}
	all := game.AllTime.Of(k.game.Today(k.clock.Now()))
	page := k.page(t, k.sites[0], "best", all)
	require.EqualValues(t, 360, page.Players)
	require.EqualValues(t, 150, page.Total)
	for i, e := range page.Entries {
		require.EqualValues(t, 360-i, e.Score)
	}
}
