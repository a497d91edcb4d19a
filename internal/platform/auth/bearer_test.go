package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

func TestBearerTakesExactlyOneToken(t *testing.T) {
	tests := map[string]struct {
		header, token string
		ok            bool
	}{
		"usual":                      {"Bearer abc.def-g_h~i+j/k==", "abc.def-g_h~i+j/k==", true},
		"scheme in lower case":       {"bearer abc", "abc", true},
		"scheme in upper case":       {"BEARER abc", "abc", true},
		"several spaces between":     {"Bearer   abc", "abc", true},
		"empty header":               {"", "", false},
		"scheme alone":               {"Bearer", "", false},
		"scheme and space":           {"Bearer ", "", false},
		"another scheme":             {"Basic abc", "", false},
		"a longer scheme":            {"Bearers abc", "", false},
		"token alone":                {"abc", "", false},
		"two tokens":                 {"Bearer abc def", "", false},
		"two tokens with a comma":    {"Bearer abc,def", "", false},
		"two credentials":            {"Bearer abc, Bearer def", "", false},
		"a tab between":              {"Bearer\tabc", "", false},
		"space before":               {" Bearer abc", "", false},
		"space after":                {"Bearer abc ", "", false},
		"a line end":                 {"Bearer abc\r\nX: y", "", false},
		"padding alone":              {"Bearer ==", "", false},
		"padding inside":             {"Bearer a=b", "", false},
		"quoted":                     {`Bearer "abc"`, "", false},
		"beyond ASCII":               {"Bearer abcé", "", false},
		"a sign that folds to ASCII": {"Bearer \u212aabc", "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			token, ok := auth.Bearer(test.header)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.token, token)
		})
	}
}

func TestEveryBearerTokenIsReadBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringMatching(`[A-Za-z0-9._~+/-]{1,60}={0,2}`).Draw(t, "token")
		scheme := rapid.StringMatching(`[Bb][Ee][Aa][Rr][Ee][Rr]`).Draw(t, "scheme")
		got, ok := auth.Bearer(scheme + " " + want)
		require.True(t, ok)
		require.Equal(t, want, got)
	})
}
