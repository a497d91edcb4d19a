package lifecycle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// erase erases a player, and notes that everything else of the player is erased too.
func (p *process) erase(tb testing.TB, player string) lifecycle.Erased {
	ctx := context.Background()
	erased, err := p.Repair.Erase(ctx, player, lifecycle.Erasure{})
	require.NoError(tb, err)
	require.NoError(tb, p.Repair.EraseDone(ctx, player, erased))
	return erased
}

// gatherGroups makes other players play, each in a group of their own, and looks at the
// groups' boards.
func (k *kit) gatherGroups(tb testing.TB, groups int) {
	ctx := context.Background()
	p := k.process()
	var subs []game.Submission
	for i := range groups {
		for _, mode := range []string{"first", "best", "fastest"} {
			sub := k.play(mode, fmt.Sprint("other", i), 7)
			sub.Scopes = []game.Scope{group(tb, fmt.Sprint("g", i))}
			subs = append(subs, sub)
		}
	}
	for _, o := range p.Boards.SubmitBatch(ctx, subs) {
		require.NoError(tb, o.Err)
	}
	for i := range groups {
		for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
			b := game.BoardOf(k.mode("first"), kind.Of(game.DateOf(noon)), group(tb, fmt.Sprint("g", i)))
			_, err := p.Boards.Page(ctx, b, game.PageRequest{Limit: 1})
			require.NoError(tb, err)
		}
	}
}

// An erasure costs in proportion to what the player has, whatever groups others have; an
// erasure that finds nothing costs next to nothing.
func TestAnErasureCostsWhatThePlayerHas(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		cost := func(others int) (nothing, again, one, repeated, more int64) {
			k.empty()
			k.clock.Set(noon)
			k.gatherGroups(t, others)
			p := k.process()
			spent := func(player string) int64 {
				commands, _ := p.spent(func() { p.erase(t, player) })
				return commands
			}
			nothing, again = spent("nobody"), spent("nobody")
			red := group(t, "red")
			play := func(player string, modes ...string) {
				for _, mode := range modes {
					sub := k.play(mode, player, 9)
					sub.Scopes, sub.Details, sub.Profile = []game.Scope{red}, []byte(`{}`), game.Profile{Name: "Ana", Country: "BR"}
					_, err := p.Boards.Submit(ctx, sub)
					require.NoError(t, err)
					for _, scope := range []game.Scope{{}, red, country(t, "BR")} {
						for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime} {
							_, err := p.Boards.Page(ctx, game.BoardOf(k.mode(mode), kind.Of(game.DateOf(noon)), scope), game.PageRequest{Limit: 1})
							require.NoError(t, err)
						}
					}
				}
			}
			play("ana", "first")
			one, repeated = spent("ana"), spent("ana")
			play("bea", "first", "best", "fastest")
			more = spent("bea")
			return nothing, again, one, repeated, more
		}
		_, _, _, _, _ = cost(0) // from now on Redis knows the scripts
		nothing, again, one, repeated, more := cost(1)
		withMany := [5]int64{}
		withMany[0], withMany[1], withMany[2], withMany[3], withMany[4] = cost(300)
		require.Equal(t, [5]int64{nothing, again, one, repeated, more}, withMany, "what others have costs nothing")
		require.LessOrEqual(t, nothing, int64(14), "nothing is known of the player")
		require.EqualValues(t, 4, again)
		require.LessOrEqual(t, one, int64(75), "12 boards, details and a profile")
		require.EqualValues(t, 4, repeated)
		require.LessOrEqual(t, more, int64(150), "36 boards, details and a profile")
		t.Logf("nothing %d, again %d, one mode with a group and a country %d, repeated %d, three modes %d", nothing, again, one, repeated, more)
	})
}

// The submitting process does not know that the player was erased elsewhere, and relies on
// having kept the player's group.
func TestWhoPlaysOnAfterAnErasureIsErasedAgain(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		submitting, erasing := k.process(), k.process()
		red := group(t, "red")
		play := func() {
			sub := k.play("first", "ana", 9)
			sub.Scopes = []game.Scope{red}
			_, err := submitting.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		gone := func() {
			for _, scope := range []game.Scope{{}, red} {
				entries, err := k.process().Boards.Lookup(ctx, game.BoardOf(k.mode("first"), game.Day.Of(k.game.Today(k.clock.Now())), scope), []string{"ana"})
				require.NoError(t, err)
				require.Empty(t, entries)
			}
		}
		keeps := func() bool {
			at, err := k.server.Redis().Do(ctx, "ZSCORE", game.GroupsPlayedKey, game.GroupPlayed("ana", red))
			require.NoError(t, err)
			return at != nil
		}
		lookAfter := func() {
			_, err := k.process().Repair.LookAfterRemovals(ctx, nil, neverErased)
			require.NoError(t, err)
		}
		for range 2 {
			play()
			require.Equal(t, 3, erasing.erase(t, "ana").Boards+1)
			gone()
		}
		play()
		k.clock.Set(noon.Add(time.Hour))
		lookAfter()
		require.True(t, keeps(), "a process may rely on it")
		erasing.erase(t, "ana")
		gone()
		play()
		k.clock.Set(noon.Add(9 * time.Hour))
		lookAfter()
		require.True(t, keeps(), "the player has played on")
		erasing.erase(t, "ana")
		gone()
		k.clock.Set(noon.Add(18 * time.Hour))
		lookAfter()
		require.False(t, keeps(), "and has left")
		left, err := k.server.Redis().Do(ctx, "EXISTS", game.RemovalsKey)
		require.NoError(t, err)
		require.EqualValues(t, 0, left)
	})
}

// An erasure that is cut off after any of its calls, and never asked for again, is repeated by
// the daily job.
func TestAnErasureThatDiesIsFinishedByTheDailyJob(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		everybody := func(int, string, string) bool { return false }
		k.playDays(t, 3, newShelf(), func(_ int, _, player string) bool { return player == "p1" })
		want := k.state()
		for calls := 1; ; calls++ {
			k.empty()
			k.playDays(t, 3, newShelf(), everybody)
			ctx, die := context.WithCancel(context.Background())
			seen := 0
			k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
				if seen++; seen == calls {
					die()
					return upstashtest.Fault{CutAfter: true}
				}
				return upstashtest.Fault{}
			})
			p := k.process()
			erased, err := p.Repair.Erase(ctx, "p1", lifecycle.Erasure{})
			if err == nil {
				err = p.Repair.EraseDone(ctx, "p1", erased)
			}
			k.server.Inject(nil)
			die()
			k.clock.Set(noon.AddDate(0, 0, 3))
			noted, redisErr := k.server.Redis().Do(context.Background(), "EXISTS", game.RemovalsKey)
			require.NoError(t, redisErr)
			if noted == int64(0) || fmt.Sprint(noted) == "0" { // nothing is erased yet: the player got an error
				require.Error(t, err)
				continue
			}
			again := func(ctx context.Context, player string, _ time.Time) error {
				p := k.process()
				erased, err := p.Repair.Erase(ctx, player, lifecycle.Erasure{})
				require.NoError(t, err)
				return p.Repair.EraseDone(ctx, player, erased)
			}
			_, err2 := k.process().Repair.LookAfterRemovals(context.Background(), nil, lifecycle.Finish{Erase: again})
			require.NoError(t, err2)
			require.Equal(t, want, k.state(), "died behind call %d", calls)
			if err == nil {
				require.Greater(t, calls, 6)
				return
			}
		}
	})
}

// Groups of players from before groups were kept are learned from the boards, once.
func TestGroupsOfBeforeAreLearned(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		forgotten := func() {
			_, err := k.server.Redis().Do(ctx, "DEL", game.GroupsPlayedKey)
			require.NoError(t, err)
		}
		for name, erase := range map[string]func(p *process, shelf *shelf){
			"by the schedule before":         func(p *process, _ *shelf) { require.NoError(t, p.Played.Learn(ctx)); p.erase(t, "p1") },
			"by the schedule after the fact": func(p *process, _ *shelf) { p.erase(t, "p1") },
			"by the archive": func(p *process, shelf *shelf) {
				_, err := p.Repair.Erase(ctx, "p1", lifecycle.Erasure{Past: shelf.of("p1")})
				require.NoError(t, err)
				for key, members := range k.state() {
					require.NotContains(t, members, "p1", key)
				}
			},
		} {
			t.Run(name, func(t *testing.T) {
				k.empty()
				shelf := newShelf()
				k.playDays(t, 10, shelf, func(int, string, string) bool { return false })
				forgotten()
				p := k.process()
				erase(p, shelf)
				k.clock.Set(k.clock.Now().Add(time.Hour))
				_, err := p.Repair.LookAfterRemovals(ctx, nil, lifecycle.Finish{Erase: func(ctx context.Context, player string, _ time.Time) error {
					p.erase(t, player)
					return nil
				}})
				require.NoError(t, err)
				for key, members := range k.state() {
					require.NotContains(t, members, "p1", key)
				}
				commands, _ := p.spent(func() { require.NoError(t, p.Played.Learn(ctx)) })
				require.EqualValues(t, 1, commands)
			})
		}
	})
}

// A player who begins anew after an erasure, in whatever way, can be erased again.
func TestWhatComesAfterAnErasureIsFoundByTheNext(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		p := k.process()
		name := "Ana"
		for what, come := range map[string]func() error{
			"a name that was set": func() error {
				_, err := k.process().Players.ChangeProfile(ctx, "ana", player.ProfileChange{Name: &name})
				return err
			},
			"a name that a credential tells": func() error { return k.process().Players.KeepProfile(ctx, "ana", game.Profile{Name: name}) },
			"a name that an authority tells": func() error {
				_, err := k.process().Players.SaveReported(ctx, game.PlayerProfile{Player: "ana", Profile: game.Profile{Name: name}, UpdatedAt: k.clock.Now()})
				return err
			},
			"a score": func() error { _, err := k.process().Boards.Submit(ctx, k.play("first", "ana", 5)); return err },
		} {
			t.Run(what, func(t *testing.T) {
				p.erase(t, "ana")
				require.True(t, p.erase(t, "ana").Idle)
				require.NoError(t, come())
				erased := p.erase(t, "ana")
				require.False(t, erased.Idle)
				require.True(t, erased.Known)
				profile, err := k.process().Players.ProfileOf(ctx, "ana")
				require.NoError(t, err)
				require.Zero(t, profile)
			})
		}
	})
}

// However many processes a player asks at once, the number of erasures a day is limited.
func TestAPlayerIsErasedSoOftenADay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		ask := func(p *process) error { _, err := p.Repair.Erase(ctx, "ana", lifecycle.Erasure{AtMost: 3}); return err }
		for range 3 {
			require.NoError(t, ask(k.process()))
		}
		p := k.process()
		var often *lifecycle.ErasedTooOftenError
		require.ErrorAs(t, ask(p), &often)
		require.InDelta(t, (12 * time.Hour).Seconds(), often.Wait.Seconds(), 1)
		commands, _ := p.spent(func() { require.ErrorAs(t, ask(p), &often) })
		require.Zero(t, commands, "the process remembers")
		_, err := p.Repair.Erase(ctx, "ana", lifecycle.Erasure{})
		require.NoError(t, err, "the operator may")
		k.clock.Set(noon.Add(12 * time.Hour))
		require.NoError(t, ask(p))
		ends, err := k.server.Redis().Do(ctx, "TTL", game.ErasureKey(game.DateOf(noon.Add(12*time.Hour)), "ana"))
		require.NoError(t, err)
		require.Greater(t, ends, int64(0))
	})
}

// A player's day that no schedule has rolled up although its time is over is erased like any
// other, and so is what a removal takes out of it.
func TestALateDayIsErasedAndBannedFrom(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		red := group(t, "red")
		for _, late := range []int{1, 9, 20, 30} {
			for name, remove := range map[string]func(p *process){
				"erased": func(p *process) { p.erase(t, "ana") },
				"banned": func(p *process) {
					_, err := p.Repair.RemoveRecent(t.Context(), "ana", nil)
					require.NoError(t, err)
				},
			} {
				k.empty()
				k.clock.Set(noon)
				for _, player := range []string{"ana", "ben"} {
					sub := k.play("first", player, 9)
					sub.Scopes, sub.Details = []game.Scope{red}, []byte(`{}`)
					_, err := k.process().Boards.Submit(t.Context(), sub)
					require.NoError(t, err)
				}
				k.clock.Set(noon.AddDate(0, 0, late))
				remove(k.process())
				for range 9 {
					_, err := runDaily(t.Context(), k.process(), nil)
					require.NoError(t, err)
					k.clock.Pass(24 * time.Hour)
				}
				for _, scope := range []game.Scope{{}, red} {
					ever := game.RolledUpKey(game.BoardOf(k.mode("first"), game.AllTime.Of(k.today()), scope).Key)
					require.NotNil(t, k.redis.Do("ZSCORE", ever, "ben"), "%s after %d days", name, late)
					if name == "erased" || late == 1 { // what is rolled up stays when a player is banned
						require.Nil(t, k.redis.Do("ZSCORE", ever, "ana"), "%s after %d days", name, late)
					}
				}
				if name == "erased" {
					for _, key := range k.redis.Do("KEYS", "*").([]any) {
						if k.redis.Do("TYPE", fmt.Sprint(key)) == "zset" && !strings.HasPrefix(fmt.Sprint(key), "erasure:") {
							require.Nil(t, k.redis.Do("ZSCORE", fmt.Sprint(key), "ana"), "%s after %d days", key, late)
						}
					}
				}
			}
		}
	})
}
