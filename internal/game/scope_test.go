package game_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestScopesReadTheirOwnNames(t *testing.T) {
	for _, c := range []struct {
		text string
		kind game.ScopeKind
		id   string
	}{
		{"global", game.Global, ""},
		{"country:BR", game.Country, "BR"},
		{"region:EU", game.Region, "EU"},
		{"group:x", game.Group, "x"},
		{"group:A-z_0", game.Group, "A-z_0"},
		{"group:" + strings.Repeat("g", 64), game.Group, strings.Repeat("g", 64)},
	} {
		s := scope(t, c.text)
		require.Equal(t, c.kind, s.Kind())
		require.Equal(t, c.id, s.ID())
		require.Equal(t, c.text, s.String())
	}
	require.Equal(t, game.Scope{}, scope(t, "global"))
}

func TestParseScopeRefusesAllElse(t *testing.T) {
	for _, s := range []string{
		"", "Global", "global:", "country", "country:", "country:br", "country:BRA", "country:EU", "country:BR ",
		"group", "group:", "group:a b", "group:a:b", "group:a\n", "group:é", "group:" + strings.Repeat("g", 65),
		"region", "region:", "region:x", "region:eu", "region:BR", "region:EU ", "region:EU:x",
	} {
		got, err := game.ParseScope(s)
		require.ErrorContains(t, err, "use ", "%q", s)
		require.Zero(t, got)
	}
}

func FuzzParseScope(f *testing.F) {
	for _, s := range []string{"global", "country:BR", "group:x", "group:a:b", "country:", "region:EU", "region:DE"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := game.ParseScope(s)
		if err != nil {
			require.Zero(t, got)
			return
		}
		require.Equal(t, s, got.String())
		require.NotContains(t, got.ID(), ":")
	})
}
