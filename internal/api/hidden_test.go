package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"testing"

	"github.com/stretchr/testify/require"
)

// Who hides is shown to others without name, picture and details at once, also on
// a page that the process has in memory.
func TestWhoHidesIsHiddenAtOnce(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(201, apitest.Post(apitest.Scores, `{"mode":"daily","score":800,"details":{"guesses":2}}`).Bearer(s.TokenWith("user_a", map[string]any{"name": "Ana"})))
	page := func() string { return string(s.Want(200, apitest.Get(apitest.Daily)).Body) }
	card := func(c apitest.Call) string { return string(s.Want(200, c).Body) }
	require.Contains(t, page(), "Ana")
	require.Contains(t, page(), "Ana")
	require.Contains(t, card(apitest.Get(apitest.Daily+"/players/user_a")), "guesses")
	s.Want(200, s.As("user_a", apitest.Patch(apitest.Myself, `{"hidden":true}`)))
	require.NotContains(t, page(), "Ana")
	require.Contains(t, page(), "user_a")
	for _, c := range []apitest.Call{apitest.Get(apitest.Daily + "/players/user_a"), s.As("user_b", apitest.Get(apitest.Daily+"/players/user_a"))} {
		require.NotContains(t, card(c), "Ana")
		require.NotContains(t, card(c), "guesses")
	}
	require.Contains(t, card(s.As("user_a", apitest.Get(apitest.Daily+"/players/me"))), "guesses")
	s.Want(200, s.As("user_a", apitest.Patch(apitest.Myself, `{"hidden":false}`)))
	require.Contains(t, page(), "Ana")
	require.Contains(t, card(apitest.Get(apitest.Daily+"/players/user_a")), "guesses")
}
