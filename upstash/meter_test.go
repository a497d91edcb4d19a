package upstash_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

func TestEveryCommandIsBilledOnceUnlessFree(t *testing.T) {
	srv := serve(t, ok(`[{"result":1},{"result":"OK"},{"result":"OK"},{"error":"ERR x"},{"result":2}]`))
	c := client(t, srv.URL)
	_, err := c.Pipeline(t.Context(),
		upstash.Cmd("zadd", "b", "1", "m", "2", "n"), upstash.Cmd("ping"), upstash.Cmd("INFO", "commandstats"),
		upstash.Cmd("LPUSH", "b", "x"), upstash.Cmd("ZADD", "b", "3", "o"))
	require.NoError(t, err)
	u := c.Meter().Usage()
	require.EqualValues(t, 3, u.Commands)
	require.EqualValues(t, 1, u.RoundTrips)
	require.Equal(t, map[string]int64{"ZADD": 2, "LPUSH": 1}, u.ByName)
	require.EqualValues(t, len(srv.requests()[0].body), u.BytesSent)
	require.EqualValues(t, len(`[{"result":1},{"result":"OK"},{"result":"OK"},{"error":"ERR x"},{"result":2}]`), u.BytesReceived)
}

func TestEmptyCallsCostNothing(t *testing.T) {
	c := client(t, "http://127.0.0.1:1")
	res, err := c.Pipeline(t.Context())
	require.NoError(t, err)
	require.Empty(t, res.Replies)
	_, err = c.MultiExec(t.Context())
	require.NoError(t, err)
	require.Equal(t, upstash.Usage{ByName: map[string]int64{}, Bytes: map[string]upstash.Bytes{}}, c.Meter().Usage())
}

func TestMetersNest(t *testing.T) {
	srv := serve(t, ok(`{"result":1}`))
	c := client(t, srv.URL)
	var day, request upstash.Meter
	ctx := upstash.WithMeter(t.Context(), &day)
	_, err := c.Do(ctx, upstash.Cmd("GET", "a"))
	require.NoError(t, err)
	inner := upstash.WithMeter(upstash.WithMeter(upstash.WithMeter(ctx, &request), &day), c.Meter())
	_, err = c.Do(inner, upstash.Cmd("GET", "b"))
	require.NoError(t, err)
	require.EqualValues(t, 2, day.Usage().Commands)
	require.EqualValues(t, 1, request.Usage().Commands)
	require.EqualValues(t, 2, c.Meter().Usage().Commands)

	before := day.Usage()
	day.Reset()
	require.Zero(t, day.Usage().Commands)
	require.EqualValues(t, 2, before.ByName["GET"], "a copy stands")
}

func TestMeterMayBeReadFromWithinTheBill(t *testing.T) {
	srv := serve(t, ok(`{"result":1}`))
	c := client(t, srv.URL)
	script := upstash.NewScript(source, func(upstash.Reply) int { return int(c.Meter().Usage().Commands) + 3 })
	_, err := c.Do(t.Context(), script.Command(nil))
	require.NoError(t, err)
	require.EqualValues(t, 4, c.Meter().Usage().Commands)
}

func TestConcurrentCallsAreAllCountedAndKeptApart(t *testing.T) {
	srv := serve(t, echo)
	c := client(t, srv.URL)
	var m upstash.Meter
	ctx := upstash.WithMeter(upstash.WithSync(t.Context(), new(upstash.Sync)), &m)
	const workers, calls = 16, 25
	errs := make(chan error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range calls {
				if err := echoes(ctx, c, w, i); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	require.NoError(t, <-errs)
	for _, u := range []upstash.Usage{m.Usage(), c.Meter().Usage()} {
		require.EqualValues(t, workers*calls*2, u.Commands)
		require.EqualValues(t, workers*calls, u.RoundTrips)
		require.Equal(t, map[string]int64{"ECHO": workers * calls * 2}, u.ByName)
	}
}
