package duel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

// A cursor is refused, or one that the list itself would have given out.
func FuzzDuelCursor(f *testing.F) {
	for _, m := range []duel.Mark{{At: noon, ID: "m1"}, {At: time.UnixMilli(0), ID: "A.b:c-d_e"}, {At: noon, ID: "a b"}} {
		f.Add(duel.DuelCursor(m))
	}
	f.Add("")
	f.Add("MDEgbTE")
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := duel.ParseDuelCursor(text)
		switch {
		case text == "":
			require.True(t, ok)
			require.Zero(t, m)
		case ok:
			require.NoError(t, duel.ValidID(m.ID))
			require.Equal(t, text, duel.DuelCursor(m))
		default:
			require.Zero(t, m)
		}
	})
}
