package soak_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/lab/soak"
)

func options(t *testing.T, redis string) soak.Options {
	g, err := soak.Quarter()
	require.NoError(t, err)
	product, err := local.Start(t.Context(), local.Options{
		Addr: "127.0.0.1:0", Redis: redis, DatabaseURL: local.DatabaseAuto, Game: g, Log: io.Discard,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	return soak.Options{
		Product: product, Game: g, Seed: 1, Players: 12,
		Start: game.NewDate(2026, 12, 17), Days: 24, Steps: 3, Workers: 4, Every: 12,
		ImportDays: 4, LossDay: 11, PlayedLossDay: 17, Removals: true, History: true, Streaks: true, Snapshots: true,
		Restore: func(ctx context.Context) error {
			_, err := product.Jobs.Restore(ctx, closing.RestoreOptions{})
			return err
		},
		Log: func(string, ...any) {},
	}
}

// A run over the New Year after week 53 of 2026, with a loss of Redis on the way. The
// long form is a command of its own, lab/cmd/soak.
func TestQuarterShort(t *testing.T) {
	t.Parallel()
	report, err := soak.Run(t.Context(), options(t, local.RedisAuto))
	require.NoError(t, err)
	require.NotZero(t, report.Killed)
	require.NotZero(t, report.Cards)
}

func TestQuarterShortOverTheEmbeddedRedis(t *testing.T) {
	t.Parallel()
	o := options(t, local.RedisEmbedded)
	o.Players, o.Days, o.LossDay, o.PlayedLossDay, o.Seed = 6, 12, 8, 5, 2
	_, err := soak.Run(t.Context(), o)
	require.NoError(t, err)
}

func TestALossThatIsNotMadeGoodIsFound(t *testing.T) {
	t.Parallel()
	o := options(t, local.RedisEmbedded)
	o.Players, o.Days, o.LossDay, o.PlayedLossDay = 6, 4, 3, 0
	o.Restore = func(context.Context) error { return nil }
	_, err := soak.Run(t.Context(), o)
	var wrong *soak.Failure
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, 3, wrong.Day)
	require.ErrorContains(t, err, "seed 1, day 3:")
	require.ErrorContains(t, err, "global: total 0, must be ")
}

func TestALossInPlayThatIsNotMadeGoodIsFound(t *testing.T) {
	t.Parallel()
	o := options(t, local.RedisEmbedded)
	o.Players, o.Days, o.LossDay, o.PlayedLossDay = 6, 4, 0, 2
	o.Restore = func(context.Context) error { return nil }
	_, err := soak.Run(t.Context(), o)
	var wrong *soak.Failure
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, 2, wrong.Day)
	require.ErrorContains(t, err, "look after the loss")
}

func TestOptionsThatMakeNoRunAreRefused(t *testing.T) {
	_, err := soak.Run(t.Context(), soak.Options{Players: 0, Days: 1, Steps: 1, Workers: 1, Every: 1})
	require.ErrorContains(t, err, "players 0")
	_, err = soak.Run(t.Context(), soak.Options{Players: 1, Days: 1, Steps: 1, Workers: 1, Every: 1, LossDay: 1})
	require.ErrorContains(t, err, "needs a way to restore")
}
