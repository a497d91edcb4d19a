package limit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// lose empties the Redis. Processes go on with what they remember.
func (m *memory) lose() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.counts)
	clear(m.pauses)
}

// tried is one request.
type tried struct {
	at     time.Time
	passed bool
}

// most is the largest number of requests that have passed in a window, wherever it begins.
func most(all []tried, window time.Duration) (most int) {
	for i := range all {
		n := 0
		for _, other := range all[i:] {
			if other.passed && other.at.Before(all[i].at.Add(window)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// since counts the requests since a moment, refused or not.
func since(all []tried, at time.Time) (n int) {
	for _, one := range all {
		if one.at.After(at) {
			n++
		}
	}
	return n
}

// However often Redis is lost, in processes that live on and in ones that begin: a loss lets a
// player have one window's worth more and no further; who has asked for no more than the limit
// in two windows is never refused, and nobody is refused for longer than a window and a sixth.
func TestALossOfRedisIsWorthOneWindow(t *testing.T) {
	const window, slot = time.Minute, 10 * time.Second
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 40).Draw(t, "limit")
		processes := rapid.IntRange(1, 5).Draw(t, "processes")
		losses := rapid.IntRange(1, 2).Draw(t, "losses")
		c, m := testkit.Still(noon.Add(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "start")))), newMemory()
		process := func() *limit.Limiter {
			return limit.New(limit.Options{Limits: submits(game.CallerLimits{Player: aMinute(count)}), Store: m, Now: c.Now})
		}
		var alive []*limit.Limiter
		for range processes {
			alive = append(alive, process())
		}
		requests := rapid.IntRange(1, 300).Draw(t, "requests")
		lost := map[int]bool{}
		for range losses {
			lost[rapid.IntRange(0, requests).Draw(t, "lost")] = true
		}
		var all []tried
		for n := range requests {
			if lost[n] {
				m.lose()
				if rapid.Bool().Draw(t, "one begins anew") {
					alive[0] = process()
				}
			}
			c.Pass(time.Duration(rapid.SampledFrom([]int64{0, 0, 0, int64(time.Millisecond), int64(time.Second), int64(9 * time.Second), int64(31 * time.Second)}).Draw(t, "pause")))
			d := take(t, alive[rapid.IntRange(0, processes-1).Draw(t, "process")], player("a"))
			require.LessOrEqual(t, d.Wait, window+slot)
			if !d.Allowed { // a process may tell of a request when it has almost left the window
				require.Greater(t, since(all, c.Now().Add(-2*window-slot))+1, count)
			}
			all = append(all, tried{c.Now(), d.Allowed})
		}
		require.LessOrEqual(t, most(all, window), (len(lost)+1)*(count+processes*(count/4+1)))
		c.Pass(window + slot)
		for _, l := range alive {
			require.True(t, take(t, l, player("a")).Allowed || processes > count, "after a window without a request")
		}
	})
}

// The same over a real Redis, lost before each request that two processes send it, one of
// which begins anew after the loss. Keys that were made after the loss expire, too.
func TestALossBeforeAnyRequestIsWorthOneWindow(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		const count, processes = 16, 3
		limits := submits(game.CallerLimits{Player: aMinute(count), Every: 10 * time.Millisecond})
		for n, more := 1, true; more; n++ {
			one, two := r.process(limits), r.process(limits)
			lost := false
			end := testkit.Before(r.Server, n, func() { r.Empty(); lost = true })
			var all []tried
			for i := range 60 {
				l := one
				if i%2 == 1 {
					if l = two; lost && i%4 == 3 {
						two = r.process(limits)
					}
				}
				d := take(t, l, player("a"))
				require.LessOrEqual(t, d.Wait, 70*time.Second, "lost before request %d", n)
				all = append(all, tried{r.clock.Now(), d.Allowed})
				r.clock.Pass(500 * time.Millisecond)
			}
			more = end()
			require.LessOrEqual(t, most(all, time.Minute), 2*(count+processes*(count/4+1)), "lost before request %d", n)
			for _, key := range r.keys() {
				require.NotEqualValues(t, -1, r.Do("PTTL", key), "%s never expires, lost before request %d", key, n)
			}
			r.clock.Pass(70 * time.Second)
			for _, l := range []*limit.Limiter{one, two, r.process(limits)} {
				require.True(t, take(t, l, player("a")).Allowed, "lost before request %d", n)
				r.clock.Pass(time.Second)
			}
			r.clock.Pass(2 * time.Minute)
			r.Empty()
		}
	})
}
