package live_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// refuse has Redis refuse to have its settings looked at or changed, as a user who may
// not does.
func (k *kit) refuse() {
	k.redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
		if len(r.Commands) == 1 && r.Commands[0][0] == "CONFIG" {
			return upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"NOPERM this user has no permissions to run the 'config' command"}`}
		}
		return upstashtest.Fault{}
	})
}

func (k *kit) published() int64 {
	k.t.Helper()
	stats, err := k.redis.Server.Redis().CommandStats(k.t.Context())
	require.NoError(k.t, err)
	return stats["publish"]
}

// seen is how many players the viewer has been shown by now.
func (v *viewer) seen() int64 {
	events, _ := v.stream.Take()
	for _, e := range events {
		v.take(e)
	}
	return v.total
}

// If Redis refuses to notify, viewers of a live game see what the writers announce: at most once
// a second for each board and process.
func TestWhereRedisTellsNothingThoseWhoWriteDo(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game.Live = true
		k.refuse()
		p := k.process()
		log := slog.New(slog.DiscardHandler)
		h := live.NewHub(live.Options{
			Game: k.game, Now: k.now, Reader: leaderboard.Current{Boards: p.Boards}, Log: log,
			Timing: live.Timing{Poll: time.Hour}, // nothing but what is told
			News: live.Notifications{Redis: p.client, Log: log, Announced: true, Probes: live.ProbeTiming{
				Look: 20 * time.Millisecond, Hear: 500 * time.Millisecond, Retry: time.Second,
			}},
		})
		t.Cleanup(h.Close)
		v := k.watch(h, k.day("best"))

		third := k.process()
		for n := range 20 {
			k.submit(third, "best", fmt.Sprint("early_", n), game.Score(100+n))
		}
		require.Equal(t, int64(1), k.published(), "once a second, on a clock that stands")
		// Until the process listens, and between two subscriptions, nobody receives; each process
		// announces once.
		require.Eventually(t, func() bool {
			k.submit(k.process(), "best", "ana", 1000)
			return v.seen() == 21
		}, eventually, tick)

		k.redis.Server.Inject(nil)
		require.Eventually(t, func() bool {
			k.submit(third, "best", "ben", 2000) // announced no more: it is silent
			return v.seen() == 22
		}, eventually, tick)
	})
}

func TestAGameThatIsNotLiveAnnouncesNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.submit(k.process(), "best", "ana", 100)
		require.Zero(t, k.published())
	})
}

// A writer whose announcement nobody has received is silent for half a minute.
func TestWhoTellsNobodyIsSilentForAWhile(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game.Live = true
		at := time.Duration(0)
		p := lifecycle.New(lifecycle.Options{Redis: k.redis.Client, Game: k.game, Now: k.now, Elapsed: func() time.Duration { return at }})
		submit := func(mode string, score game.Score) { k.submit(&process{p, k.redis.Client}, mode, "ana", score) }
		submit("best", 100)
		require.Equal(t, int64(1), k.published())
		at = 29 * time.Second
		submit("best", 200)
		submit("shared", 1)
		require.Equal(t, int64(1), k.published())
		at = 31 * time.Second
		submit("best", 300)
		require.Equal(t, int64(2), k.published())
	})
}
