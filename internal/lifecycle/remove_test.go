package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// neverErased finishes removals in tests where no erasure was cut off and nobody is banned.
var neverErased = lifecycle.Finish{Erase: func(context.Context, string, time.Time) error {
	return errors.New("no erasure was cut off")
}}

// state returns every board and every streak in Redis.
func (k *kit) state() map[string]string {
	ctx := context.Background()
	keys, err := k.server.Redis().Do(ctx, "KEYS", "*")
	require.NoError(k.tb, err)
	all := map[string]string{}
	for _, key := range keys.([]any) {
		if isNoBoard(key.(string)) {
			continue
		}
		if members, err := k.server.Redis().Do(ctx, "ZRANGE", key.(string), "0", "-1", "WITHSCORES"); err == nil {
			all[key.(string)] = fmt.Sprint(members)
		}
	}
	streaks, err := k.server.Redis().Do(ctx, "HGETALL", game.StreaksKey)
	require.NoError(k.tb, err)
	for i := 0; i < len(streaks.([]any)); i += 2 {
		all["streak of "+streaks.([]any)[i].(string)] = streaks.([]any)[i+1].(string)
	}
	return all
}

// isNoBoard reports whether a sorted set only serves erasures; it outlives them by hours.
func isNoBoard(key string) bool {
	return key == game.GroupsPlayedKey || strings.HasPrefix(key, "erasure:")
}

// playDays makes two players play two modes on each of some days, except what leave excludes,
// and closes each day.
func (k *kit) playDays(t *testing.T, days int, shelf *shelf, leave func(day int, mode, player string) bool) {
	ctx := context.Background()
	p := k.process()
	for day := range days {
		k.clock.Set(noon.AddDate(0, 0, day))
		for i, player := range []string{"p1", "p2"} {
			for _, mode := range []string{"first", "best"} {
				at := k.clock.Now().Truncate(time.Hour)
				if leave(day, mode, player) {
					continue
				}
				sub := k.play(mode, player, game.Score(10*day+i))
				sub.At, sub.Scopes = at, []game.Scope{group(t, "red")}
				sub.Profile.Country = map[string]string{"p1": "DE", "p2": "FR"}[player]
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(t, err)
			}
		}
		k.clock.Set(noon.AddDate(0, 0, day).Add(13 * time.Hour))
		_, err := runDaily(ctx, p, shelf)
		require.NoError(t, err)
	}
	k.lookAtAll(t, days)
	for day := range days { // keys that Redis has not let expire, since only the test's clock was moved
		d := game.DateOf(noon.AddDate(0, 0, day))
		if p.DB.Alive(d) {
			continue
		}
		keys, err := k.server.Redis().Do(ctx, "KEYS", "*:"+d.String()+"*")
		require.NoError(t, err)
		for _, key := range keys.([]any) {
			_, err := k.server.Redis().Do(ctx, "DEL", key.(string))
			require.NoError(t, err)
		}
	}
}

// lookAtAll makes every derived board as it is now.
func (k *kit) lookAtAll(t *testing.T, days int) {
	p := k.process()
	for day := range days {
		d := game.DateOf(noon.AddDate(0, 0, day))
		for _, mode := range []string{"first", "best"} {
			for _, period := range append(k.game.PeriodsOf(d), game.Day.Of(d)) {
				for _, scope := range []game.Scope{{}, group(t, "red"), country(t, "DE"), country(t, "FR"), region(t, "EU")} {
					wholeBoard(t, p, game.BoardOf(k.mode(mode), period, scope), 100)
				}
			}
		}
	}
	xp, _ := p.DB.Game.ModeNamed(game.XPMode)
	wholeBoard(t, p, game.BoardOf(xp, game.AllTime.Of(game.DateOf(noon)), game.Scope{}), 100)
}

// After a removal everything is as if the entry had never been played: boards of everybody,
// groups, countries and regions, XP and streaks equal those of a game without it, even if any connection may break and the removal has to be
// sent again.
func TestWhatIsRemovedIsAsIfItHadNeverBeen(t *testing.T) {
	removals := map[string]struct {
		gone func(day int, mode, player string) bool
		do   func(p *process, shelf *shelf) error
	}{
		"a score of an open day": {
			func(day int, mode, player string) bool { return day == 9 && mode == "first" && player == "p1" },
			removeScore("first", 9, "p1"),
		},
		"a score of a folded day": {
			func(day int, mode, player string) bool { return day == 1 && mode == "first" && player == "p1" },
			removeScore("first", 1, "p1"),
		},
		"a whole day": {
			func(day int, _, player string) bool { return day == 8 && player == "p2" },
			func(p *process, shelf *shelf) error {
				return errors.Join(removeScore("first", 8, "p2")(p, shelf), removeScore("best", 8, "p2")(p, shelf))
			},
		},
		"a banned player's recent scores": {
			func(day int, _, player string) bool { return day >= 4 && player == "p1" },
			func(p *process, shelf *shelf) error {
				removed, err := p.Repair.RemoveRecent(context.Background(), "p1", shelf.of("p1"))
				for _, day := range removed.Days {
					shelf.remove("p1", day)
				}
				return err
			},
		},
		"a player": {
			func(_ int, _, player string) bool { return player == "p1" },
			func(p *process, _ *shelf) error {
				_, err := p.Repair.Erase(context.Background(), "p1", lifecycle.Erasure{})
				return err
			},
		},
	}
	overREST(t, func(t *testing.T, k *kit) {
		// One season is over, with days that are rolled up and days that are not; one is still
		// open.
		k.game = loadGame(t, testGame+`
seasons:
  - {name: past, first: 2026-11-18, last: 2026-11-22}
  - {name: present, first: 2026-11-23, last: 2027-02-28}
`)
		for name, r := range removals {
			t.Run(name, func(t *testing.T) {
				for _, broken := range []bool{false, true} {
					k.empty()
					k.playDays(t, 10, newShelf(), r.gone)
					want := k.state()
					k.empty()
					shelf := newShelf()
					k.playDays(t, 10, shelf, func(int, string, string) bool { return false })
					if broken {
						k.server.Inject(unreliable())
					}
					for try := 0; ; try++ {
						require.Less(t, try, 200, "the removal never succeeds")
						if err := r.do(k.process(), shelf); err == nil {
							break
						} else if !broken {
							require.NoError(t, err)
						}
					}
					k.server.Inject(nil)
					require.Equal(t, want, k.state(), "broken connections: %v", broken)
				}
			})
		}
	})
}

func removeScore(mode string, day int, player string) func(*process, *shelf) error {
	return func(p *process, shelf *shelf) error {
		m, _ := p.DB.Game.ModeNamed(mode)
		d := game.DateOf(noon.AddDate(0, 0, day))
		if _, err := p.Repair.RemoveScore(context.Background(), m, d, player, shelf.of(player)); err != nil {
			return err
		}
		shelf.remove(player, game.DayName{Mode: mode, Date: d})
		return nil
	}
}

func TestWithoutAnArchiveRolledUpScoresStay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.playDays(t, 10, newShelf(), func(int, string, string) bool { return false })
		before := k.state()
		p := k.process()
		_, err := p.Repair.RemoveScore(ctx, k.mode("first"), game.DateOf(noon.AddDate(0, 0, 1)), "p1", nil)
		require.ErrorIs(t, err, lifecycle.ErrRolledUp)
		_, err = p.Repair.RemoveScore(ctx, k.mode("first"), game.DateOf(noon.AddDate(0, 0, 1)), "p1", &lifecycle.ArchivedPlayer{})
		require.ErrorIs(t, err, lifecycle.ErrHistory, "an archive without the day does not know what else there was")
		require.Equal(t, before, k.state(), "nothing is half done")
		_, err = p.Repair.RemoveScore(ctx, k.mode("first"), game.DateOf(noon.AddDate(0, 0, 9)), "p1", nil)
		require.NoError(t, err)
		_, err = p.Repair.Erase(ctx, "p1", lifecycle.Erasure{})
		require.NoError(t, err)
		for key, members := range k.state() {
			require.NotContains(t, members, "p1", key)
		}
	})
}

// An import of the past writes the archive before the boards. In between, a rolled-up score of
// a player in that past cannot be removed, and the refusal leaves nothing half done. New
// scores in the archive can be removed, and players can be banned.
func TestARolledUpScoreIsNotRemovedWhileAPastIsBroughtIn(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		shelf := newShelf()
		k.playDays(t, 10, shelf, func(int, string, string) bool { return false })
		m, rolledUp, imported := k.mode("first"), game.DateOf(noon.AddDate(0, 0, 1)), game.DateOf(noon.AddDate(0, 0, -40))
		past := func() *lifecycle.ArchivedPlayer {
			all := shelf.of("p1")
			all.Results = append(all.Results, game.DayResult{Mode: "first", Date: imported, Result: game.Result{Stored: m.Encode(500, 7)}})
			return all
		}
		before := k.state()
		_, err := k.process().Repair.RemoveScore(ctx, m, rolledUp, "p1", past())
		require.ErrorIs(t, err, lifecycle.ErrHistory)
		require.ErrorContains(t, err, "wait for a running import to finish")
		require.Equal(t, before, k.state())
		_, err = k.process().Repair.RemoveScore(ctx, m, imported, "p1", past())
		require.NoError(t, err)
		require.Equal(t, before, k.state(), "the boards did not have it yet")
		_, err = k.process().Repair.RemoveScore(ctx, m, rolledUp, "p1", shelf.of("p1"))
		require.NoError(t, err, "the archive and the boards are one again")
		require.NotEqual(t, before, k.state())
		_, err = k.process().Repair.RemoveRecent(ctx, "p1", past())
		require.NoError(t, err)
	})
}

// Others play, look and close while scores are removed. When all is quiet and the daily job
// has looked after the removals, the boards are what the others' plays add up to.
func TestRemovalsAmongPlaysLooksAndClosingsEndRight(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		shelf := newShelf()
		k.playDays(t, 8, shelf, func(int, string, string) bool { return false })
		k.clock.Set(noon.AddDate(0, 0, 8))
		yesterday, today := game.DateOf(noon.AddDate(0, 0, 7)), game.DateOf(noon.AddDate(0, 0, 8))
		var wait sync.WaitGroup
		for i := range 4 {
			p := k.process()
			wait.Go(func() {
				for n := range 10 {
					_, err := p.Boards.Submit(ctx, k.play("first", fmt.Sprintf("q%d-%d", i, n), 5))
					require.NoError(t, err)
					late := k.play("best", fmt.Sprintf("q%d-%d", i, n), 7)
					late.Date, late.At = yesterday, late.At.AddDate(0, 0, -1)
					_, err = p.Boards.Submit(ctx, late)
					require.NoError(t, err)
				}
			})
			wait.Go(func() {
				_, err := runDaily(ctx, k.process(), shelf)
				require.NoError(t, err)
				_, err = k.process().Boards.Page(ctx, weekBoard(k, p, "best"), game.PageRequest{Limit: 10})
				require.NoError(t, err)
			})
			wait.Go(func() {
				if i%2 == 0 {
					require.NoError(t, removeScore("best", 7, "p1")(k.process(), shelf))
				} else {
					require.NoError(t, removeScore("first", 7, "p1")(k.process(), shelf))
				}
			})
		}
		wait.Wait()
		k.clock.Set(noon.AddDate(0, 0, 8).Add(time.Hour))
		p := k.process()
		_, err := runDaily(ctx, p, shelf)
		require.NoError(t, err)
		done, err := p.Repair.LookAfterRemovals(ctx, func(_ context.Context, player string) (*lifecycle.ArchivedPlayer, error) {
			return shelf.of(player), nil
		}, neverErased)
		require.NoError(t, err)
		require.Equal(t, 4, done)
		p = k.process()
		for _, mode := range []string{"first", "best"} {
			_, err = p.Boards.Card(ctx, game.BoardOf(k.mode(mode), game.Day.Of(yesterday), game.Scope{}), "p1")
			require.ErrorIs(t, err, leaderboard.ErrNotOnBoard)
			entries, err := p.Boards.Lookup(ctx, game.BoardOf(k.mode(mode), game.AllTime.Of(today), game.Scope{}), []string{"p1", "p2"})
			require.NoError(t, err)
			want := map[string]game.Score{"p1": 0 + 10 + 20 + 30 + 40 + 50 + 60, "p2": 1 + 11 + 21 + 31 + 41 + 51 + 61 + 71}
			if mode == "best" {
				want = map[string]game.Score{"p1": 60, "p2": 71}
			}
			for _, e := range entries {
				require.Equal(t, want[e.Player], e.Score, "%s %s", mode, e.Player)
			}
			require.NotContains(t, shelf.days[mode][yesterday], "p1")
		}
		record, err := k.server.Redis().Do(ctx, "HGET", game.StreaksKey, "p1")
		require.NoError(t, err)
		other, err := k.server.Redis().Do(ctx, "HGET", game.StreaksKey, "p2")
		require.NoError(t, err)
		require.NotEqual(t, record, other, "the day that was taken out counts for no streak")
		left, err := k.server.Redis().Do(ctx, "EXISTS", game.RemovalsKey)
		require.NoError(t, err)
		require.EqualValues(t, 0, left)
	})
}

// The cost of a removal does not depend on how many others play.
func TestTheCostOfRemovingDoesNotGrowWithThePlayers(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		cost := func(others int) int64 {
			k.empty()
			k.clock.Set(noon)
			p := k.process()
			var subs []game.Submission
			for i := range others {
				subs = append(subs, k.play("first", fmt.Sprintf("q%d", i), 5))
			}
			p.Boards.SubmitBatch(ctx, subs)
			_, err := p.Boards.Submit(ctx, k.play("first", "p1", 7))
			require.NoError(t, err)
			k.lookAtAll(t, 1)
			commands, _ := p.spent(func() {
				_, err := p.Repair.RemoveScore(ctx, k.mode("first"), game.DateOf(noon), "p1", nil)
				require.NoError(t, err)
			})
			return commands
		}
		few, many := cost(10), cost(3000)
		require.Equal(t, few, many)
		require.LessOrEqual(t, many, int64(40))
	})
}
