package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A board that is made in pages is made at most once in as many seconds as it has thousands of
// players. A player who has just played is on it all the same: between two refreshes, during
// one that has read the day before the play, and after it.
func TestOwnStandingsOnLargeBoardsDoNotWaitForTheNextRefresh(t *testing.T) {
	k := newKit(t, testkit.RealRedis(t)) // the embedded one takes long over unions of so many
	k.ageless()
	ctx := context.Background()
	maker := k.process()
	for _, day := range []int{-1, 0} {
		k.clock.Set(noon.AddDate(0, 0, day))
		add := []string{"ZADD", k.dayBoard(maker, "first").Key}
		for i := range 60_000 {
			add = append(add, fmt.Sprintf("%d.03125", i%900), fmt.Sprintf("p%06d", i))
		}
		k.redis.Do(add...)
		_, err := k.process().Boards.Submit(ctx, k.play("first", "ana", 100))
		require.NoError(t, err)
	}
	week := weekBoard(k, maker, "first")
	look := func(p *process) game.Score {
		for _, way := range []string{"card", "friends"} {
			got, found, err := ownScore(ctx, p, week, "ana", way)
			require.NoError(t, err)
			require.True(t, found, way)
			require.EqualValues(t, 200, got, way)
		}
		got, _, err := ownScore(ctx, p, week, "new", "card")
		require.NoError(t, err)
		return got
	}
	play := func(score game.Score, player string) {
		_, err := k.process().Boards.Submit(ctx, k.play("first", player, score))
		require.NoError(t, err)
	}
	_, err := maker.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
	require.NoError(t, err)
	k.clock.Pass(2 * time.Second)
	play(500, "new")
	require.EqualValues(t, 500, look(maker), "it knows when the next refresh is due")
	other := k.process()
	require.EqualValues(t, 500, look(other), "it makes none")

	k.clock.Pass(10 * time.Minute) // the next is due, and takes long
	elsewhere := k.process()
	var during atomic.Bool
	k.server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		replaces := slices.ContainsFunc(r.Commands, func(command []string) bool {
			return strings.HasPrefix(command[0], "EVAL") && len(command) == 5 && command[3] == week.Key && strings.HasPrefix(command[4], "scratch:")
		})
		if replaces && during.CompareAndSwap(false, true) {
			play(700, "late")
			got, found, err := ownScore(ctx, elsewhere, week, "late", "card")
			require.True(t, err == nil && found, err)
			require.EqualValues(t, 700, got, "while a refresh is under way that does not have it")
		}
		return upstashtest.Fault{}
	})
	page, err := maker.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
	require.NoError(t, err)
	require.EqualValues(t, 60_002, page.Total, "which puts in its place what it has read")
	k.server.Inject(nil)
	require.True(t, during.Load())
	for _, p := range []*process{elsewhere, maker, k.process()} {
		got, found, err := ownScore(ctx, p, week, "late", "card")
		require.NoError(t, err)
		require.True(t, found)
		require.EqualValues(t, 700, got, "after it, too")
		require.EqualValues(t, 500, look(p))
	}

	// The last of the two days closes, and nobody looks.
	play(900, "last")
	k.clock.Set(noon.AddDate(0, 0, 1))
	_, err = runDaily(ctx, k.process(), nil)
	require.NoError(t, err)
	require.EqualValues(t, 60_004, k.redis.Do("ZCARD", week.Key))
	for player, score := range map[string]game.Score{"ana": 200, "new": 500, "late": 700, "last": 900} {
		stored, err := strconv.ParseFloat(k.redis.Do("ZSCORE", week.Key, player).(string), 64)
		require.NoError(t, err)
		require.Equal(t, score, week.Mode.Decode(stored), player)
	}
}

// Players play and look at their own entries at once, through several processes with breaking
// connections, while others cause boards to be made.
func TestOwnStandingsAreNeverBehindWhileManyPlay(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		k.impatient()
		ctx := context.Background()
		until := func(do func() error) {
			for {
				switch err := do(); {
				case err == nil:
					return
				case !leaderboard.IsRefusal(err) && !errors.Is(err, context.Canceled):
					t.Errorf("refused: %v", err)
					return
				}
			}
		}
		for day := range 3 { // some days that there is something on already
			k.clock.Set(noon.AddDate(0, 0, day-2))
			for player := range 5 {
				for _, mode := range []string{"coins", "best", "latest", "fastest"} {
					k.ownPlay(t, mode, fmt.Sprintf("p%d", player), 20)
				}
			}
		}
		today := k.game.Today(k.clock.Now())
		k.clock.Stop()
		k.server.Inject(unreliable())
		readers := []*process{k.process(), k.process(), k.process()}
		boards := map[string][]game.Board{}
		for _, mode := range []string{"coins", "best", "latest", "fastest"} {
			for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
				boards[mode] = append(boards[mode], game.BoardOf(k.mode(mode), kind.Of(today), game.Scope{}))
			}
			if k.mode(mode).HasScope(game.Group) {
				boards[mode] = append(boards[mode], game.BoardOf(k.mode(mode), game.Week.Of(today), group(t, "red")), game.BoardOf(k.mode(mode), game.Week.Of(today), country(t, "BR")))
			}
		}
		var players, others sync.WaitGroup
		done := make(chan struct{})
		for i := range 3 {
			others.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-done:
						return
					default:
					}
					for _, of := range boards {
						until(func() error {
							_, err := readers[i].Boards.Page(ctx, of[n%len(of)], game.PageRequest{Limit: 10})
							return err
						})
					}
					time.Sleep(100 * time.Microsecond) // what stands in memory needs no asking without rest, and the players need the processor
				}
			})
		}
		for i := range 5 {
			player := fmt.Sprintf("p%d", i)
			players.Go(func() {
				writer := k.process()
				want := map[string]game.Score{"coins": 60, "best": 20, "latest": 20, "fastest": 20}
				for play := range 8 {
					mode := []string{"coins", "best", "latest", "fastest"}[(i+play)%4]
					score := game.Score(play + 1)
					switch mode {
					case "coins":
						want[mode] += score
					case "best":
						score += 20
						want[mode] = score
					case "latest":
						want[mode] = score
					case "fastest":
						score = 19 - score
						want[mode] = score
					}
					k.clock.Pass(700 * time.Millisecond) // all plays together take less than a write may be under way
					sub := k.play(mode, player, score)
					sub.Date = today
					sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(player, play), Fingerprint: "f"}
					sub.Profile = game.Profile{Name: player, Country: "BR"}
					if sub.Mode.HasScope(game.Group) {
						sub.Scopes = []game.Scope{group(t, "red")}
					}
					until(func() error { _, err := writer.Boards.Submit(ctx, sub); return err })
					for n, b := range boards[mode] {
						until(func() error {
							got, found, err := ownScore(ctx, readers[(play+n)%3], b, player, []string{"card", "friends"}[(play+n+i)%2])
							if err == nil && (!found || got != want[mode]) {
								t.Errorf("%s on %s: %d instead of %d", player, b.Key, got, want[mode])
							}
							return err
						})
					}
				}
			})
		}
		players.Wait()
		close(done)
		others.Wait()
	})
}

// A lock says that a process makes a refresh, but not that the refresh will end. While the
// lock exists nothing is made, and players who look at themselves still see their scores.
func TestOwnStandingsDoNotTrustARefreshThatNobodyFinished(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		for _, lock := range []string{"ONEWHODIED", "1", "since:", "since:x"} { // 1 is what the previous version wrote
			k.empty()
			k.ownWeek(t, 3)
			week := weekBoard(k, k.process(), "first")
			slot := k.clock.Now().UnixNano() / int64(k.game.Refresh)
			for near := range int64(3) {
				k.redis.Do("SET", game.RefreshKey(week.Key, slot+near), lock)
			}
			k.ownPlay(t, "first", "busy", 30)
			for _, way := range []string{"card", "friends"} {
				got, found, err := ownScore(ctx, k.process(), week, "busy", way)
				require.NoError(t, err)
				require.True(t, found, way)
				require.EqualValues(t, 11+11+30, got, way)
			}
		}
	})
}
