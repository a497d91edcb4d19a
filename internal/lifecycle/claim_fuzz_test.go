package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// What a claim has noted of a day is read back as it was written, and nothing
// else is taken for it.
func FuzzClaimedDay(f *testing.F) {
	for _, seed := range [][2]string{
		{"daily:2026-11-21", "accepted 800 group:red group:blue"}, {"daily:2026-11-21", "kept -3"},
		{"gone:2026-11-21", "improved 1"}, {"daily:2026-11-31", "kept 1"}, {"daily", "kept"}, {"", ""},
		{"daily:2026-11-21", "kept 1 nowhere:x"}, {"daily:2026-11-21", "kept 9223372036854775808"},
	} {
		f.Add(seed[0], seed[1])
	}
	g := &game.Game{Modes: []*game.Mode{{Name: "daily"}}}
	f.Fuzz(func(t *testing.T, field, record string) {
		day, known, err := parseClaimedDay(g, field, record)
		if err != nil || !known {
			return
		}
		again, known, err := parseClaimedDay(g, day.field(), day.String())
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, day, again)
	})
}
