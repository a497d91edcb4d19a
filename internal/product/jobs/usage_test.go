package jobs_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

func TestWhatDaysCostOutlivesRedis(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	today := game.DateOf(p.app.Now())
	counted := usage.Count{Calls: 1, Commands: 2, RoundTrips: 3, Sent: 4, Received: 5, Failed: 6, Throttled: 7, Replayed: 8}
	for ago, function := range map[int]string{0: "submit", 1: "submit", 2: "me", 3: "ops"} {
		_, err := p.app.Redis().Do(ctx, upstash.Cmd("HSET", usage.Key(today.AddDays(-ago)), function+":p:player:GET /a", counted.String(), function+":p:callers", "2 0 player:user_a 2 0"))
		require.NoError(t, err)
	}
	for range 2 {
		_, err := jobs.New(p.app, p.history).Daily(ctx, p.app.Now())
		require.NoError(t, err)
	}
	_, err := p.app.Redis().Do(ctx, upstash.Cmd("FLUSHALL"))
	require.NoError(t, err)
	days, err := jobs.Usage(p.app, p.history).Days(ctx, today.AddDays(-4), today)
	require.NoError(t, err)
	day := func(ago int, function string) usage.Day {
		d := usage.Day{Date: today.AddDays(-ago), ByFunction: map[string]usage.Count{}}
		if function != "" {
			d.ByFunction[function] = counted
		}
		return d
	}
	require.Equal(t, []usage.Day{day(4, ""), day(3, "ops"), day(2, "me"), day(1, "submit"), day(0, "")}, days)
	require.NoError(t, jobs.Usage(p.app, p.history).Detail(ctx, days))
	require.Equal(t, map[usage.Part]usage.Count{{Function: "submit", Route: "GET /a", Caller: "player"}: {Calls: 1, Commands: 2, RoundTrips: 3}}, days[3].Parts)
	require.Equal(t, map[usage.Part]usage.Count{{Function: "ops", Route: "GET /a", Caller: "player"}: {Calls: 1, Commands: 2, RoundTrips: 3}}, days[1].Parts)
	require.Nil(t, days[0].Parts)

	days, err = jobs.Usage(p.app, nil).Days(ctx, today, today)
	require.NoError(t, err)
	require.Equal(t, []usage.Day{day(0, "")}, days)
}
