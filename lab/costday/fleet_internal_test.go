package costday

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever the times of requests: no environment serves two requests at once. An
// environment is started only where none is free. Each ends when it is idle or old, but
// not before it has served its request.
func TestEnvironmentsServeOneRequestAtATimeAndEnd(t *testing.T) {
	midnight := monday.Midnight()
	rapid.Check(t, func(t *rapid.T) {
		f := &fleet{lots: newRand(rapid.Uint64().Draw(t, "seed"), 0), start: func() (*environment, error) { return &environment{}, nil }}
		now, served, busyUntil := midnight, map[*environment]time.Time{}, map[*environment]time.Time{}
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now = now.Add(rapid.SampledFrom([]time.Duration{0, 10 * time.Millisecond, time.Second, 3 * time.Minute, 8 * time.Minute}).Draw(t, "pause"))
			for e := f.next(); e != nil && !e.ends().After(now); e = f.next() {
				idle, old := !e.ends().Before(served[e].Add(requestTakes+mostIdle)), !e.ends().Before(e.began.Add(mostAge))
				require.True(t, idle || old)
				require.False(t, e.ends().Before(busyUntil[e]))
				f.drop(e)
			}
			free := 0
			for _, e := range f.alive {
				require.Less(t, now.Sub(served[e]), requestTakes+mostIdle)
				if !busyUntil[e].After(now) {
					free++
				}
			}
			before := f.started
			e, err := f.take(now)
			require.NoError(t, err)
			require.False(t, busyUntil[e].After(now), "it is busy")
			require.Equal(t, free == 0, f.started > before)
			served[e], busyUntil[e] = now, now.Add(requestTakes)
		}
	})
}
