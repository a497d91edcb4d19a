package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// An operator who names the wrong game in an emergency gets an error, not a clean report.
func TestAnotherGamesHistoryIsNoHistory(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	verify := func() error {
		_, err := k.process().Verify(ctx, func(lifecycle.Difference) {})
		return err
	}
	require.NoError(t, verify(), "an empty one is anybody's")
	k.playDays(monday, 2, 2)
	_, err := k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	right := k.game
	k.game, err = gamefile.Parse("test.yaml", []byte("name: other\nmodes:\n  elsewhere: {max: 10}\n"))
	require.NoError(t, err)
	for _, o := range []closing.RestoreOptions{{}, {DryRun: true}} {
		_, err = k.process().Restore(ctx, o)
		require.ErrorAs(t, err, new(*closing.OtherGameError))
	}
	require.ErrorAs(t, verify(), new(*closing.OtherGameError))
	require.Empty(t, k.contents())

	_, err = k.process().Restore(ctx, closing.RestoreOptions{Force: true})
	require.NoError(t, err, "all modes may have been replaced")
	k.game = right
	_, err = k.process().Restore(ctx, closing.RestoreOptions{})
	require.NoError(t, err)
	k.agree()
}
