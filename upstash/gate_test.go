package upstash_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestAGateKeepsCallsFromBeingSent(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	client, err := upstash.New(upstash.Config{URL: server.URL(), Token: server.Token()})
	require.NoError(t, err)
	no := errors.New("not now")
	var open bool
	var meter upstash.Meter
	ctx := upstash.WithGate(upstash.WithMeter(t.Context(), &meter), func(context.Context) error {
		if open {
			return nil
		}
		return no
	})
	set := upstash.Cmd("SET", "k", "v")
	for _, send := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := client.Do(ctx, set); return err },
		func(ctx context.Context) error { _, err := client.Pipeline(ctx, set, set); return err },
		func(ctx context.Context) error { _, err := client.MultiExec(ctx, set); return err },
	} {
		before := meter.Commands()
		err := send(ctx)
		require.ErrorIs(t, err, no)
		require.ErrorIs(t, err, upstash.KindThrottled)
		require.Equal(t, before, meter.Commands())
		require.NoError(t, send(upstash.WithGate(ctx, nil)), "the inner gate counts")
		open = true
		require.NoError(t, send(ctx))
		open = false
	}
	require.Equal(t, meter.Usage().Commands, meter.Commands())
	require.EqualValues(t, 2*(1+2+3), meter.Commands())
}
