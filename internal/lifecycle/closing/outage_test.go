package closing_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// While Postgres does not answer, a day counts all the same, and a later run archives it.
func TestPostgresMayBeAwayWhenADayCloses(t *testing.T) {
	k := newKit(t)
	postgres := archivetest.Server(t)
	k.url = postgres.URL()
	ctx := context.Background()
	k.playDays(monday, 2, 5)

	postgres.Stop()
	d := monday.AddDays(2)
	k.at(d, 12, 0)
	k.play("first", "ana", d, 700)
	k.at(d.AddDays(1), 0, 20)
	report, err := k.process().Daily(ctx)
	require.ErrorIs(t, err, archive.ErrUnavailable)
	require.Len(t, report.Closed, 1)
	base, err := k.process().Store.DB.ReadBoard(ctx, game.XPBaseKey)
	require.NoError(t, err)
	require.Equal(t, 1050.0, base["ana"], "XP has taken the day in")

	d = d.AddDays(1)
	k.at(d, 12, 0)
	k.play("first", "ana", d, 100)
	postgres.Start()
	k.at(d.AddDays(1), 0, 20)
	report, err = k.process().Daily(ctx)
	require.NoError(t, err)
	require.Len(t, report.Closed, 2, "the day before is archived now")
	k.agree()
}

// Runs that are cut off anywhere, or run two at once, leave nothing that the next complete run
// does not correct.
func TestRunsMayBeCutOffAnywhere(t *testing.T) {
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	var dice sync.Mutex
	chance := func(n int) bool {
		dice.Lock()
		defer dice.Unlock()
		return random.IntN(n) == 0
	}
	k := newKit(t)
	ctx := context.Background()
	var cut atomic.Int64
	for n := range 14 {
		d := monday.AddDays(n)
		k.at(d, 12, 0)
		for i := range 6 {
			for _, mode := range []string{"first", "best", "latest", "coins"} {
				k.play(mode, "player"+string(rune('a'+i)), d, game.Score(1+(n*7+i*11)%40))
			}
		}
		k.at(d.AddDays(1), 0, 20)
		k.server.Inject(func(r upstashtest.Request) upstashtest.Fault {
			switch {
			case chance(60):
				cut.Add(1)
				return upstashtest.Fault{CutBefore: true}
			case chance(60):
				cut.Add(1)
				return upstashtest.Fault{CutAfter: true}
			}
			return upstashtest.Fault{}
		})
		for range 3 {
			var wait sync.WaitGroup
			for range 2 {
				killed, kill := context.WithCancel(ctx)
				time.AfterFunc(time.Duration(random.IntN(60))*time.Millisecond, kill)
				job := k.process()
				wait.Go(func() {
					defer kill()
					_, _ = job.Daily(killed) // usually cut off
				})
			}
			wait.Wait()
		}
		k.server.Inject(nil)
		_, err := k.process().Daily(ctx)
		require.NoError(t, err)
		if d.Weekday() == time.Sunday {
			_, err := k.process().Weekly(ctx, k.now)
			require.NoError(t, err)
		}
		k.agree()
	}
	require.Positive(t, cut.Load())
}
