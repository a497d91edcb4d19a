package lifecycle_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// living is a process that goes on after a loss of Redis. The test sets its clocks.
type living struct {
	*process
	k       *kit
	elapsed time.Duration
}

func (k *kit) living() *living {
	l := &living{k: k}
	l.process = &process{lifecycle.New(lifecycle.Options{
		Redis: k.client, Game: k.game, Now: k.clock.Now,
		Elapsed: func() time.Duration { return l.elapsed },
	}), k.client.Meter()}
	return l
}

func (l *living) play(t require.TestingT, player string, score game.Score, groups ...game.Scope) {
	sub := l.k.play("first", player, score)
	sub.Scopes = groups
	_, err := l.Boards.Submit(context.Background(), sub)
	require.NoError(t, err)
}

// requireListed asserts that a day's boards are on the index.
func (k *kit) requireListed(t require.TestingT, mode string, d game.Date, scopes ...game.Scope) {
	for _, scope := range scopes {
		index, field := derive.DayKey{Mode: mode, Date: d, Scope: scope}.Index()
		state, err := k.server.Redis().Do(context.Background(), "HGET", index, field)
		require.NoError(t, err)
		require.Equal(t, derive.DayOpen, state, "%s is on the index", field)
	}
}

// A process does not take what it remembers of one Redis for true of another, even if only the
// epoch shows that it is another.
func TestNamesAreWrittenOnceMoreAfterARestore(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		l := k.living()
		sub := k.play("first", "ana", 5)
		sub.Profile = game.Profile{Name: "Ana"}
		_, err := l.Boards.Submit(ctx, sub)
		require.NoError(t, err)
		_, err = k.server.Redis().Do(ctx, "HSET", game.ProfilesKey, "ana", `{"name":"of old"}`)
		require.NoError(t, err)
		require.NoError(t, k.process().Notices.BeginEpoch(ctx))
		l.elapsed += 15 * time.Minute
		sub = k.play("best", "ana", 5)
		sub.Profile = game.Profile{Name: "Ana"}
		_, err = l.Boards.Submit(ctx, sub)
		require.NoError(t, err)
		profile, err := k.process().Players.ProfileOf(ctx, "ana")
		require.NoError(t, err)
		require.Equal(t, "Ana", profile.Name)
	})
}

// A process that plays goes on, whatever it remembers: a score costs the same each time.
func TestWhatAScoreCosts(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		red, blue := group(t, "red"), group(t, "blue")
		l := k.living()
		l.play(t, "warm", 1, red, blue)
		for n := range 3 {
			for groups, costs := range map[int]int64{0: 2, 1: 2 + 4, 2: 2 + 6} { // behind the day's: the boards, their days, and that the player is in them
				commands, roundTrips := l.spent(func() {
					l.play(t, fmt.Sprint("p", n, groups), 5, []game.Scope{red, blue}[:groups]...)
				})
				require.EqualValues(t, 1, roundTrips)
				require.LessOrEqual(t, commands, costs, "%d groups", groups)
			}
		}
	})
}

// Whichever processes play, and whenever Redis is emptied or gets another epoch: once a day has
// closed, every board that exists is on the index, and once it is rolled up, every key of it has
// its expiry.
func TestEveryBoardIsOnTheIndexInTheEnd(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		scopes := []game.Scope{group(t, "red"), group(t, "blue"), group(t, "green")}
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			k.clock.Set(noon)
			lives := []*living{k.living(), k.living(), k.living()}
			pick := func() *living { return lives[rapid.IntRange(0, len(lives)-1).Draw(rt, "process")] }
			players, today := 0, k.today()
			play := func(l *living, mode string, d game.Date, scopes []game.Scope) {
				players++
				sub := k.play(mode, "p"+strconv.Itoa(players), 7)
				sub.Date, sub.Scopes = d, scopes
				if rapid.Bool().Draw(rt, "one") {
					_, err := l.Boards.Submit(ctx, sub)
					require.NoError(rt, err)
					return
				}
				require.NoError(rt, l.Boards.SubmitBatch(ctx, []game.Submission{sub})[0].Err)
			}
			random := func() (mode string, in []game.Scope) {
				return rapid.SampledFrom([]string{"first", "best"}).Draw(rt, "mode"), rapid.SliceOfNDistinct(rapid.SampledFrom(scopes), 0, 2, game.Scope.String).Draw(rt, "scopes")
			}
			for range rapid.IntRange(1, 30).Draw(rt, "steps") {
				switch rapid.IntRange(0, 9).Draw(rt, "step") {
				case 0:
					k.empty()
				case 1:
					require.NoError(rt, k.process().Notices.BeginEpoch(ctx))
				case 2:
					pick().elapsed += time.Duration(rapid.IntRange(1, 20).Draw(rt, "minutes")) * time.Minute
				case 3:
					l := pick()
					scope := rapid.SampledFrom(append(scopes, game.Scope{})).Draw(rt, "scope")
					month := game.BoardOf(k.mode("first"), game.Month.Of(today), scope)
					_, err := l.Boards.Page(ctx, month, game.PageRequest{Limit: 10})
					require.NoError(rt, err)
				default:
					mode, in := random()
					play(pick(), mode, today, in)
				}
			}
			requireListed := func() {
				for _, mode := range []string{"first", "best"} {
					for _, scope := range append(scopes, game.Scope{}) {
						there, err := k.process().DB.Exists(ctx, game.BoardKey(mode, game.Day.Of(today), scope))
						require.NoError(rt, err)
						if there {
							k.requireListed(rt, mode, today, scope)
						}
					}
				}
			}
			k.clock.Set(noon.AddDate(0, 0, 1))
			_, err := pick().Rollup.Calendar.Survey(ctx)
			require.NoError(rt, err)
			requireListed()
			for range rapid.IntRange(0, 3).Draw(rt, "late") { // the first of a board, too
				mode, in := random()
				play(pick(), mode, today, in)
			}
			requireListed()
			// Schedules do not run for a while, and nothing is lost.
			k.clock.Set(noon.AddDate(0, 0, rapid.IntRange(2, 30).Draw(rt, "until the schedule runs")))
			boards := map[string]int64{}
			for _, mode := range []string{"first", "best"} {
				key := game.DayBoardKey(mode, today)
				boards[mode] = k.redis.Do("ZCARD", key).(int64)
			}
			for range 9 { // the last run rolls the day up
				_, err = runDaily(ctx, pick().process, nil)
				require.NoError(rt, err)
				k.clock.Pass(24 * time.Hour)
			}
			for mode, players := range boards {
				all := game.RolledUpKey(game.BoardKey(mode, game.AllTime.Of(today), game.Scope{}))
				require.Equal(rt, players, k.redis.Do("ZCARD", all), "%s of all time", mode)
			}
			for _, key := range k.redis.Do("KEYS", "*:day:*").([]any) {
				require.Positive(rt, k.redis.Do("TTL", fmt.Sprint(key)), "%s has its expiry", key)
			}
		})
	})
}

// Who lets days pass and then puts the clock back has all days on the boards.
func TestDaysAreListedAgainWhereTheClockIsPutBack(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for _, days := range []int{1, 10, -10, 0, 1} {
			k.clock.Set(noon.AddDate(0, 0, days))
			p := k.process()
			_, err := p.Boards.Submit(t.Context(), k.play("first", fmt.Sprint("p", days), 5))
			require.NoError(t, err)
			require.NoError(t, p.Rollup.Calendar.ListDays(t.Context()))
		}
		k.clock.Set(noon.AddDate(0, 0, 2))
		page, err := k.process().Boards.Page(t.Context(), game.BoardOf(k.mode("first"), game.AllTime.Of(k.today()), game.Scope{}), game.PageRequest{Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 3, page.Total, "of today, the day before yesterday, and ten days ago; those to come are not yet on it")
	})
}
