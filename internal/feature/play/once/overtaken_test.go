package once_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/play/once"
)

// A play is sent again while the first request releases it without an effect. It earns once
// if it is accepted, and nothing otherwise.
func TestAPlayThatIsGivenBackMeanwhileEarnsWhereItIsTaken(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		var first, second once.Claim
		var err error
		begin := func() {
			k.Empty()
			first, err = k.process().Claim(t.Context(), k.play("earns", "f"))
			require.NoError(t, err)
		}
		again := func() { second, err = k.process().Claim(t.Context(), k.play("earns", "f")) }
		release := func() { require.NoError(t, first.Release(t.Context(), true)) }
		testkit.Overtaken(k.Server, begin, again, release, func(when string) {
			var running *idempotency.RunningError
			for errors.As(err, &running) { // as clients do
				k.wait(running.Wait)
				again()
			}
			require.NoError(t, err, when)
			require.True(t, second.TookOver(), when)
			require.NoError(t, second.Keep(t.Context(), "taken", ""))
			require.EqualValues(t, 1, k.counted("earns"), when)
		})
	})
}
