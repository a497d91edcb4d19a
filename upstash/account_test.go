package upstash_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Calls that one caller makes on behalf of everybody are on the bill, but not on that caller's
// account.
func TestCallsOffAnAccountCountOnTheOuterMetersAlone(t *testing.T) {
	server := upstashtest.Start(t, upstashtest.Options{})
	client, err := upstash.New(upstash.Config{URL: server.URL(), Token: server.Token()})
	require.NoError(t, err)
	ask := func(ctx context.Context) error {
		_, err := client.Do(ctx, upstash.Cmd("GET", "k"))
		return err
	}
	var bill, caller, part upstash.Meter
	broke := errors.New("nothing is left")
	var refuse error
	ctx := upstash.WithAccount(upstash.WithMeter(t.Context(), &bill))
	ctx = upstash.WithGate(upstash.WithMeter(ctx, &caller), func(context.Context) error { return refuse })
	ctx = upstash.WithMeter(ctx, &part)
	require.NoError(t, ask(ctx))
	require.NoError(t, ask(upstash.OffAccount(ctx)))
	refuse = broke
	require.ErrorIs(t, ask(ctx), broke)
	require.NoError(t, ask(upstash.OffAccount(ctx)))
	require.NoError(t, ask(upstash.OffAccount(upstash.OffAccount(ctx))))
	require.EqualValues(t, 4, bill.Commands())
	require.EqualValues(t, 1, caller.Commands())
	require.EqualValues(t, 1, part.Commands())
	plain := upstash.WithMeter(t.Context(), &part)
	require.Equal(t, plain, upstash.OffAccount(plain), "nobody pays")
	require.NoError(t, ask(upstash.OffAccount(plain)))
	require.EqualValues(t, 2, part.Commands())
}
