package local_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
)

func TestDaysAreCountedForAtMostOnePercentOfTheCommands(t *testing.T) {
	g, err := app.LoadGame("")
	require.NoError(t, err)
	p, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, Game: g, Counters: true, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	c := &client{t, p.URL}
	operator := map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken}
	submits := func(from, to int) {
		for i := from; i < to; i++ {
			status, _ := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":800}`, c.token(fmt.Sprintf("user_%d", i)))
			require.Equal(t, 201, status)
		}
	}
	counted := func() usage.Count {
		_, answer := c.do("GET", "/v1/ops/usage?days=1", "", operator)
		day := answer["days"].([]any)[0].(map[string]any)
		f, _ := day["by_function"].(map[string]any)["submit"].(map[string]any)
		number := func(name string) int64 { n, _ := f[name].(float64); return int64(n) }
		return usage.Count{Calls: number("calls"), Accepted: number("accepted"), Commands: number("commands")}
	}
	submits(0, 10)
	require.Zero(t, counted(), "not yet worth a write")
	submits(10, 60)
	got := counted()
	require.GreaterOrEqual(t, got.Commands, int64(100))
	require.Equal(t, got.Calls, got.Accepted)
	before := p.Usage().ByFunction["submit"].Commands
	submits(60, 100)
	require.Equal(t, got, counted(), "5 minutes have not passed")
	require.Positive(t, p.Usage().ByFunction["submit"].Commands-before)
}

func TestWithoutCountersNothingIsWritten(t *testing.T) {
	c, p := start(t)
	for i := range 60 {
		status, _ := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":800}`, c.token(fmt.Sprintf("user_%d", i)))
		require.Equal(t, 201, status)
	}
	keys, err := p.Upstash.Redis().Do(t.Context(), "KEYS", "usage:*")
	require.NoError(t, err)
	require.Empty(t, keys)
}
