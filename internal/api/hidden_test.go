package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Who hides is shown to others without name, picture and details at once, also on
// a page that the process has in memory.
func TestWhoHidesIsHiddenAtOnce(t *testing.T) {
	s := newStack(t)
	s.want(201, post(scores, `{"mode":"daily","score":800,"details":{"guesses":2}}`).bearer(s.tokenWith("user_a", map[string]any{"name": "Ana"})))
	page := func() string { return string(s.want(200, get(daily)).body) }
	card := func(c call) string { return string(s.want(200, c).body) }
	require.Contains(t, page(), "Ana")
	require.Contains(t, page(), "Ana")
	require.Contains(t, card(get(daily+"/players/user_a")), "guesses")
	s.want(200, s.as("user_a", patch(myself, `{"hidden":true}`)))
	require.NotContains(t, page(), "Ana")
	require.Contains(t, page(), "user_a")
	for _, c := range []call{get(daily + "/players/user_a"), s.as("user_b", get(daily+"/players/user_a"))} {
		require.NotContains(t, card(c), "Ana")
		require.NotContains(t, card(c), "guesses")
	}
	require.Contains(t, card(s.as("user_a", get(daily+"/players/me"))), "guesses")
	s.want(200, s.as("user_a", patch(myself, `{"hidden":false}`)))
	require.Contains(t, page(), "Ana")
	require.Contains(t, card(get(daily+"/players/user_a")), "guesses")
}
