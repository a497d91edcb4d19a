package upstash_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestATraceIsToldOfEachCallAndItsEnd(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	client, err := upstash.New(upstash.Config{URL: server.URL(), Token: server.Token()})
	require.NoError(t, err)
	var got []string
	ctx := upstash.WithTrace(t.Context(), func(_ context.Context, name string, commands int) func(error) {
		got = append(got, fmt.Sprint(name, " ", commands))
		return func(err error) { got = append(got, fmt.Sprint(err == nil)) }
	})
	set := upstash.Cmd("set", "k", "v")
	_, err = client.Do(ctx, set)
	require.NoError(t, err)
	_, err = client.Pipeline(ctx, set, upstash.Cmd("LPUSH", "k", "v"))
	require.NoError(t, err, "the answers have it")
	_, err = client.MultiExec(ctx, set)
	require.NoError(t, err)
	_, err = client.Do(ctx, upstash.Cmd("LPUSH", "k", "v"))
	require.Error(t, err)
	_, err = client.Do(upstash.WithTrace(ctx, nil), set)
	require.NoError(t, err)
	require.Equal(t, []string{"SET 1", "true", "PIPELINE 2", "true", "MULTI 1", "true", "LPUSH 1", "false"}, got)
}
