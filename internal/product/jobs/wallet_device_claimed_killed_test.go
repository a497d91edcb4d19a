package jobs_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A claim is killed before any of its requests, a run archives what there is or not, and Redis
// is lost: the owner who claims again has all of it.
func TestAKilledClaimIsMadeAgainAfterALoss(t *testing.T) {
	for _, saved := range []bool{false, true} {
		t.Run(fmt.Sprint("saved ", saved), func(t *testing.T) {
			const devices = 60
			w := newPairs(t)
			w.two(devices)
			claimed := 0
			for more := true; more && claimed < devices; claimed++ {
				w.restart()
				more = w.killed(claimed+2, func(ctx context.Context) error {
					_, err := jobs.Claims(w.app, w.kept).Claim(ctx, device(claimed), owner(claimed))
					return err
				})
			}
			if saved {
				w.restart()
				require.NoError(t, w.save())
			}
			w.loses()
			for n := range claimed {
				w.claim(n)
			}
			w.outlives(claimed, false, "killed")
		})
	}
}

// The same holds if the run is killed soon after the claim, and the next one continues it.
func TestAClaimDuringARunThatIsKilledOutlivesALoss(t *testing.T) {
	for _, job := range []string{"cron-save", "cron-daily", "a repair"} {
		t.Run(job, func(t *testing.T) {
			const devices, step = 30, 13
			w := newPairs(t)
			w.two(devices)
			run := func(ctx context.Context) error {
				_, err := jobs.New(w.app, w.kept).Save(ctx, w.now)
				return err
			}
			if job == "cron-daily" {
				w.now = w.now.Truncate(24 * time.Hour).Add(26 * time.Hour)
				run = func(ctx context.Context) error {
					_, err := jobs.New(w.app, w.kept).Daily(ctx, w.now)
					return err
				}
			}
			claimed := 0
			for n, more := anyOf(step), true; more && claimed < devices; n += step {
				if job == "a repair" {
					w.lost(false)
				}
				w.restart()
				end := testkit.Before(w.redis, n, func() { w.claim(claimed) })
				w.killed(n+anyOf(4), run)
				if more = end(); more {
					claimed++
				}
				if job == "a repair" {
					w.restart()
					require.NoError(t, w.save())
					w.now = w.now.Add(21 * time.Minute)
					w.daily() // which looks after the claim
				}
				if job == "cron-save" {
					step := anyOf(3) // a save has few requests
					n -= 13 - step
				}
			}
			w.restart()
			require.NoError(t, run(w.Context()))
			if job != "a repair" {
				w.loses()
			}
			w.outlives(claimed, true, "claimed during "+job)
		})
	}
}

// A repair's last requests let go of the lost Redis, day by day. If a device is claimed before
// any of them, and the repair is killed, the next one does not bring the device back; nor one
// that is claimed before any request of that.
func TestADeviceClaimedAtTheEndOfARepairIsNotBroughtBack(t *testing.T) {
	const devices, last = 60, 36
	w := newPairs(t)
	w.two(devices)
	w.lost(false)
	requests := 0
	w.redis.Inject(func(upstashtest.Request) (none upstashtest.Fault) { requests++; return none })
	require.NoError(t, w.save())
	w.redis.Inject(nil)
	next := func() { w.claimNext(devices) }
	for n := requests - last; n < requests; n += 2 {
		w.lost(false)
		end := testkit.Before(w.redis, n, next)
		killed := w.killedRepair(n + anyOf(4))
		require.True(t, end())
		w.restart()
		if killed { // the next run goes on with it
			end = testkit.Before(w.redis, anyOf(requests), next)
			require.NoError(t, w.save())
			end()
		}
		if n%4 == 0 {
			w.now = w.now.Add(21 * time.Minute)
			w.restart()
			w.daily()
		}
	}
	w.outlives(w.claimed, true, "claimed at the end of a repair")
}

// A repair that goes on may find a day on its board that the history has from this Redis. A
// device that is claimed after the day was read there, and before it is merged with its board,
// is not brought back.
func TestADeviceClaimedWhileADayIsMergedAgainIsNotBroughtBack(t *testing.T) {
	const devices = 12
	w := newPairs(t)
	w.two(devices)
	w.lost(false)
	day := game.NewDate(2026, 11, 10)
	has := func(r upstashtest.Request, words ...string) bool {
		return slices.ContainsFunc(r.Commands, func(c []string) bool {
			return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(c, word) })
		})
	}
	next := func() { w.claimNext(devices) }
	// The repair is killed when the day is this Redis', and the device is not given yet.
	w.killed(1<<30, func(ctx context.Context) error {
		ctx, kill := context.WithCancel(ctx)
		defer kill()
		others := false
		w.redis.Inject(func(r upstashtest.Request) (fault upstashtest.Fault) {
			switch {
			case w.claimed == 0 && has(r, "HDEL", game.MergedDay("latest", day.AddDays(1))):
				next()
				others = true
			case others && has(r, "HMGET", game.MovedField):
				kill()
				fault.CutBefore = true
			}
			return fault
		})
		_, err := jobs.New(w.app, w.kept).Save(ctx, w.now)
		return err
	})
	require.Equal(t, 1, w.claimed)
	w.restart()
	claiming, merges := false, 0
	w.redis.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
		if !claiming && merges < 3 && has(r, "ZMSCORE", game.DayBoardKey("coins", day)) {
			claiming = true
			merges++
			next()
			claiming = false
		}
		return none
	})
	require.NoError(t, w.save())
	w.redis.Inject(nil)
	require.Positive(t, merges)
	w.outlives(w.claimed, true, "claimed while a day was merged again")
}
