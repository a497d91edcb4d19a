package game_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestIDsAreWhatTheirGrammarSays(t *testing.T) {
	for _, c := range []struct {
		name    string
		valid   func(string) error
		grammar string
	}{
		{"id", game.ValidID, `\A[A-Za-z0-9_.:@-]{1,128}\z`},
		{"mode", game.ValidMode, `\A[a-z][a-z0-9_]{0,39}\z`},
		{"group", func(s string) error { _, err := game.GroupScope(s); return err }, `\A[A-Za-z0-9_-]{1,64}\z`},
	} {
		t.Run(c.name, func(t *testing.T) {
			grammar := regexp.MustCompile(c.grammar)
			near := rapid.OneOf(
				rapid.StringMatching(`[A-Za-z0-9_.:@-]{0,130}`),
				rapid.StringMatching(`[a-z0-9_]{0,42}`),
				rapid.StringMatching(`[a-zA-Z_ :/\n\x00é@-]{1,3}`),
				rapid.String(),
			)
			rapid.Check(t, func(t *rapid.T) {
				s := near.Draw(t, "id")
				require.Equal(t, grammar.MatchString(s), c.valid(s) == nil, "%q", s)
			})
		})
	}
}

func TestIDsRefuseWhatCouldForgeAKey(t *testing.T) {
	for _, s := range []string{"", "a\nb", "a b", "a\x00", "é", "a/b", "a*", "{a}", strings.Repeat("a", 129)} {
		require.ErrorContains(t, game.ValidPlayer(s), "use 1 to 128 characters", "%q", s)
	}
	require.NoError(t, game.ValidPlayer("user_2abCDefGhIJklMNopQRstUVwx"))
	require.ErrorContains(t, game.ValidMode("a:b"), "use a letter")
}

func TestPlayersHaveNoReservedID(t *testing.T) {
	for _, id := range []string{".", "..", "me", "erased"} {
		require.ErrorContains(t, game.ValidPlayer(id), "is reserved", "%q", id)
		require.NoError(t, game.ValidID(id), "events and streams may have it")
	}
	for _, id := range []string{"...", "Me", "erased_1", "user_me"} {
		require.NoError(t, game.ValidPlayer(id), id)
	}
}

func TestExactlyTheAssignedCountriesAndKosovoAreValid(t *testing.T) {
	valid := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if game.ValidCountry(string([]rune{a, b})) == nil {
				valid++
			}
		}
	}
	require.Equal(t, 250, valid)
	for _, code := range []string{"BR", "US", "GB", "SS", "AX", "BQ", "CW", "SX", "TW", "EH", "XK"} {
		require.NoError(t, game.ValidCountry(code), code)
	}
	for _, code := range []string{"", "br", "Br", "BRA", "076", "UK", "EU", "ZZ", "AN", "SU", "YU", "CS", "B", "BR\n"} {
		require.ErrorContains(t, game.ValidCountry(code), "use an ISO 3166-1 alpha-2 code", "%q", code)
	}
}
