package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const claimedDays = 3

// playAs makes one human play every day, under the ids that as returns, and another player
// beside. Each day is closed afterwards.
func (k *kit) playAs(t *testing.T, as func(day int) string) {
	ctx := context.Background()
	p := k.process()
	for day := range claimedDays {
		k.clock.Set(noon.AddDate(0, 0, day))
		for i, player := range []string{"other", as(day)} {
			for _, mode := range []string{"first", "best", "coins", "latest"} {
				sub := k.play(mode, player, game.Score(7*day+i))
				sub.At = sub.At.Truncate(time.Hour)
				sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(day, i, mode), Fingerprint: "f"}
				if sub.Mode.HasScope(game.Group) {
					sub.Scopes = []game.Scope{group(t, "red")}
				}
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(t, err)
			}
		}
		k.clock.Set(noon.AddDate(0, 0, day).Add(13 * time.Hour))
		_, err := runDaily(ctx, p, nil)
		require.NoError(t, err)
	}
}

// settled returns every board and streak after the next run of the daily job, without streaks
// of a device that has none.
func (k *kit) settled(t *testing.T) map[string]string {
	ctx := context.Background()
	k.clock.Set(noon.AddDate(0, 0, claimedDays).Add(13 * time.Hour))
	p := k.process()
	_, err := p.Repair.LookAfterClaims(ctx, nil, func(context.Context, string) error { return errors.New("nobody was erased") }, nil, nil)
	require.NoError(t, err)
	_, err = runDaily(ctx, p, nil)
	require.NoError(t, err)
	k.lookAtAll(t, claimedDays)
	state := k.state()
	for name := range state {
		if name == "streak of dev" {
			delete(state, name)
		}
	}
	return state
}

// After a claim everything is as if the owner had played it, even if any connection may break
// and the claim has to be sent again.
func TestWhatIsClaimedIsAsIfTheOwnerHadPlayedIt(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		k.playAs(t, func(int) string { return "p1" })
		want := k.settled(t)
		for _, broken := range []bool{false, true} {
			k.empty()
			k.playAs(t, func(day int) string {
				if day == 0 { // the first day, with which a record of a streak begins
					return "p1"
				}
				return "dev"
			})
			p := k.process()
			if broken {
				k.server.Inject(unreliable())
			}
			var answer []lifecycle.ClaimReport
			for try := 0; len(answer) < 2; try++ {
				require.Less(t, try, 200, "the claim never succeeds")
				did, err := p.Repair.Claim(context.Background(), "dev", "p1", nil)
				if err == nil {
					answer = append(answer, did)
				} else if !broken {
					require.NoError(t, err)
				}
			}
			k.server.Inject(nil)
			require.Equal(t, answer[0], answer[1], "asked again, a claim tells the same")
			require.Len(t, answer[0].Days, 4*(claimedDays-1))
			for _, day := range answer[0].Days {
				require.Equal(t, game.Accepted, day.Status)
			}
			require.Equal(t, want, k.settled(t), "broken connections: %v", broken)
			k.claimsAreIndexed(t)
		}
	})
}

// A claim that is cut off after any of its calls is finished by the daily job alone.
func TestAClaimThatDiesIsFinishedByTheDailyJob(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		k.playAs(t, func(int) string { return "p1" })
		want := k.settled(t)
		for calls := 1; ; calls++ {
			k.empty()
			k.playAs(t, func(int) string { return "dev" })
			ctx, die := context.WithCancel(context.Background())
			seen := 0
			k.server.Inject(func(upstashtest.Request) upstashtest.Fault {
				if seen++; seen == calls {
					die()
					return upstashtest.Fault{CutAfter: true}
				}
				return upstashtest.Fault{}
			})
			_, err := k.process().Repair.Claim(ctx, "dev", "p1", nil)
			k.server.Inject(nil)
			die()
			claimed, existsErr := k.process().Repair.IsClaimed(context.Background(), "dev")
			require.NoError(t, existsErr)
			k.claimsAreIndexed(t, "died behind call %d", calls)
			if !claimed { // Redis did not know the script yet
				require.Error(t, err)
				continue
			}
			require.Equal(t, want, k.settled(t), "died behind call %d", calls)
			if err == nil {
				require.Greater(t, calls, 10)
				return
			}
		}
	})
}

// However often a player claims one device at once, every answer is the same and complete.
func TestClaimsAtOnceAreToldTheSame(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		for range 6 {
			k.empty()
			k.playAs(t, func(int) string { return "dev" })
			answer := make([]lifecycle.ClaimReport, 6)
			var wait sync.WaitGroup
			for i := range answer {
				p := k.process()
				wait.Go(func() {
					var err error
					answer[i], err = p.Repair.Claim(context.Background(), "dev", "p1", nil)
					require.NoError(t, err)
				})
			}
			wait.Wait()
			for _, other := range answer {
				require.Equal(t, answer[0], other)
			}
			k.claimsAreIndexed(t)
			require.Len(t, answer[0].Days, 4*claimedDays)
		}
	})
}

// Two players claim one device over connections that break: one gets it, with everything.
func TestOneOfTwoOwnersWins(t *testing.T) {
	overREST(t, func(t *testing.T, k *kit) {
		k.playAs(t, func(int) string { return "dev" })
		k.server.Inject(unreliable())
		owners := []string{"p1", "p2"}
		var mu sync.Mutex
		won := map[string]int{}
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				p, player := k.process(), owners[i%2]
				for {
					_, err := p.Repair.Claim(context.Background(), "dev", player, nil)
					if errors.Is(err, lifecycle.ErrClaimed) {
						return
					}
					if err == nil {
						mu.Lock()
						won[player]++
						mu.Unlock()
						return
					}
				}
			})
		}
		wait.Wait()
		k.server.Inject(nil)
		require.Len(t, won, 1)
		k.claimsAreIndexed(t)
		for player, times := range won {
			require.Equal(t, 4, times)
			for key, members := range k.settled(t) {
				for _, loser := range append(owners, "dev") {
					if loser != player {
						require.NotContains(t, members, loser, key)
					}
				}
			}
			p := k.process()
			entries, err := p.Boards.Lookup(context.Background(), game.BoardOf(k.mode("coins"), game.AllTime.Of(k.game.Today(k.clock.Now())), game.Scope{}), []string{player})
			require.NoError(t, err)
			require.EqualValues(t, claimedDays*(claimedDays-1)/2*7+claimedDays, entries[0].Score)
		}
	})
}
