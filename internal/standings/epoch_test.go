package standings_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/standings"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// living is a process that goes on after a loss of Redis. The test sets its clocks.
type living struct {
	*process
	k       *kit
	elapsed time.Duration
	later   []func()
}

func (k *kit) living() *living {
	l := &living{k: k}
	l.process = &process{standings.New(standings.Options{
		Redis: k.client, Game: k.game, Now: k.clock.Now,
		Elapsed: func() time.Duration { return l.elapsed },
		Later:   func(_ time.Duration, f func()) { l.later = append(l.later, f) },
	}), k.client.Meter()}
	return l
}

// wait lets some seconds pass for the process, without a request.
func (l *living) wait(d time.Duration) {
	l.elapsed += d
	due := l.later
	l.later = nil
	for _, f := range due {
		f()
	}
}

func (l *living) play(t require.TestingT, player string, score game.Score, groups ...game.Scope) {
	sub := l.k.play("first", player, score)
	sub.Scopes = groups
	_, err := l.Boards.Submit(context.Background(), sub)
	require.NoError(t, err)
}

// requireIndexed asserts that a day's boards are on the index and have their expiry.
func (k *kit) requireIndexed(t require.TestingT, mode string, d game.Date, scopes ...game.Scope) {
	ctx := context.Background()
	for _, scope := range append(scopes, game.Scope{}) {
		index, field := game.DaysKey(mode), d.String()
		if scope != (game.Scope{}) {
			index, field = game.ScopedDaysKey(mode), game.ScopedDay(d, scope)
		}
		state, err := k.server.Redis().Do(ctx, "HGET", index, field)
		require.NoError(t, err)
		require.Equal(t, "0", state, "%s is on the index", field)
		ttl, err := k.server.Redis().Do(ctx, "TTL", game.BoardKey(mode, game.Day.Of(d), scope))
		require.NoError(t, err)
		require.Positive(t, ttl, "%s has its expiry", field)
	}
}

// A process that plays for groups works on after Redis was emptied. Groups are on the index
// again at once if it reads their boards itself, and within 3 s if others do.
func TestGroupsAreOnTheIndexAfterALoss(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		red, blue := group(t, "red"), group(t, "blue")
		today := k.game.Today(noon)
		for _, restored := range []bool{false, true} {
			for name, then := range map[string]func(*living){
				"a later play": func(l *living) {
					l.elapsed += 3 * time.Second
					l.play(t, "later", 9)
					l.play(t, "latest", 9, blue)
				},
				"a later batch": func(l *living) {
					l.elapsed += 3 * time.Second
					sub := k.play("first", "later", 9)
					sub.Scopes = []game.Scope{red}
					require.NoError(t, l.Boards.SubmitBatch(ctx, []game.Submission{sub})[0].Err)
				},
				"a later message": func(l *living) {
					l.elapsed += 3 * time.Second
					sub := k.play("first", "later", 9)
					sub.Scopes = []game.Scope{red}
					_, errs := l.Boards.SubmitQueued(ctx, []game.Submission{sub})
					require.NoError(t, errs[0])
				},
				"no play": func(l *living) { l.wait(3 * time.Second) },
				"a look at the week": func(l *living) {
					for _, scope := range []game.Scope{red, blue} {
						week := game.BoardOf(k.mode("first"), game.Week.Of(today), scope)
						page, err := l.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
						require.NoError(t, err)
						require.EqualValues(t, 2, page.Total, scope.String())
					}
				},
				"the bans read anew": func(l *living) {
					l.elapsed += 15 * time.Minute
					_, err := l.Notices.IsBanned(ctx, "ana")
					require.NoError(t, err)
				},
			} {
				t.Run(fmt.Sprintf("%s, restored %v", name, restored), func(t *testing.T) {
					k.empty()
					k.clock.Set(noon)
					l := k.living()
					l.play(t, "ana", 5, red, blue)
					l.play(t, "ben", 6, red, blue)
					k.empty()
					if restored {
						require.NoError(t, k.process().Notices.BeginEpoch(ctx))
					}
					l.play(t, "ana", 5, red, blue)
					l.play(t, "cleo", 7, red)
					l.play(t, "dan", 7, blue)
					then(l)
					k.requireIndexed(t, "first", today, red, blue)
					before := l.meter.Usage().Commands
					l.play(t, "eve", 3, red)
					require.LessOrEqual(t, l.meter.Usage().Commands-before, int64(3+2+1+1), "and it is seen to once, which others are told")
				})
			}
		}
	})
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

// The epoch costs nothing if nobody plays for groups, and otherwise at most one command in 3
// s.
func TestWhatTheEpochCosts(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		red := group(t, "red")
		k.living().play(t, "first of all", 1)
		l := k.living()
		l.play(t, "warm", 1, red)
		l.play(t, "warm", 1, red) // which notes its housekeeping for others
		players := 0
		spent := func(seconds int, groups ...game.Scope) (extra int64) {
			for range seconds {
				l.wait(time.Second)
				// The total is read every 10 s, without a command on so small a board.
				commands, roundTrips := l.spent(func() {
					players++
					l.play(t, "p"+strconv.Itoa(players), 5, groups...)
				})
				require.EqualValues(t, 1, roundTrips)
				usual := int64(2)
				if len(groups) > 0 {
					usual = 5 // the group's board behind the day's, and that the player is in it
				}
				extra += commands - usual
			}
			return extra
		}
		require.Zero(t, spent(60))
		require.LessOrEqual(t, spent(60, red), int64(60/3))
		l.wait(3 * time.Second)
		commands, _ := l.spent(func() { l.wait(time.Minute) })
		require.Zero(t, commands, "nothing is asked while nothing is written")
	})
}

// Whichever processes play, and whenever Redis is emptied or gets another epoch: in the end
// every existing board is on the index and has its expiry.
func TestEveryBoardIsOnTheIndexInTheEnd(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		scopes := []game.Scope{group(t, "red"), group(t, "blue"), group(t, "green")}
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			k.clock.Set(noon)
			lives := []*living{k.living(), k.living(), k.living()}
			pick := func() *living { return lives[rapid.IntRange(0, len(lives)-1).Draw(rt, "process")] }
			players := 0
			play := func(l *living, mode string, scopes []game.Scope) {
				players++
				sub := k.play(mode, "p"+strconv.Itoa(players), 7)
				sub.Scopes = scopes
				if rapid.Bool().Draw(rt, "one") {
					_, err := l.Boards.Submit(ctx, sub)
					require.NoError(rt, err)
					return
				}
				require.NoError(rt, l.Boards.SubmitBatch(ctx, []game.Submission{sub})[0].Err)
			}
			for range rapid.IntRange(1, 30).Draw(rt, "steps") {
				switch rapid.IntRange(0, 9).Draw(rt, "step") {
				case 0:
					k.empty()
				case 1:
					require.NoError(rt, k.process().Notices.BeginEpoch(ctx))
				case 2:
					pick().wait(time.Duration(rapid.IntRange(1, 20).Draw(rt, "seconds")) * time.Second)
				case 3:
					l := pick()
					scope := rapid.SampledFrom(scopes).Draw(rt, "scope")
					week := game.BoardOf(k.mode("first"), game.Week.Of(game.DateOf(noon)), scope)
					_, err := l.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
					require.NoError(rt, err)
				default:
					mode := rapid.SampledFrom([]string{"first", "best"}).Draw(rt, "mode")
					play(pick(), mode, rapid.SliceOfNDistinct(rapid.SampledFrom(scopes), 0, 2, game.Scope.String).Draw(rt, "scopes"))
				}
			}
			for _, l := range lives {
				l.wait(3 * time.Second)
			}
			_, err := k.process().Rollup.Calendar.SurveyAll(ctx) // as the daily job does
			require.NoError(rt, err)
			today := game.DateOf(noon)
			for _, mode := range []string{"first", "best"} {
				for _, scope := range append(scopes, game.Scope{}) {
					there, err := k.process().DB.Exists(ctx, game.BoardKey(mode, game.Day.Of(today), scope))
					require.NoError(rt, err)
					if there && scope == (game.Scope{}) {
						k.requireIndexed(rt, mode, today)
					} else if there {
						k.requireIndexed(rt, mode, today, scope)
					}
				}
			}
		})
	})
}
