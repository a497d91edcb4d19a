package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page that passes on the rank that it got with its score saves the look-up of the rank, on
// a board too large to be read whole.
func TestAHintSavesTheLookUpOfTheRank(t *testing.T) {
	s := apitest.NewStack(t)
	s.Crowd(2000)
	read := func(hint string) (a apitest.Answer, commands, roundTrips int64) {
		s.Handler = s.Process()
		s.Page(apitest.Daily + "?limit=1&offset=1500") // the total is known, and names
		s.Page(apitest.Daily + "?limit=200&offset=690")
		commands, roundTrips = s.Spent(func() { a = s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/around/player00700"+hint)) })
		return a, commands, roundTrips
	}
	plain, commands, roundTrips := read("")
	require.Equal(t, []int64{2, 2}, []int64{commands, roundTrips}, "without a hint")
	for hint, want := range map[string][2]int64{
		"?near=701": {1, 1}, "?near=660": {1, 1}, "?near=740": {1, 1}, // others came and went since
		"?near=1": {3, 3}, "?near=1999": {3, 3}, "?near=1000000000": {3, 3}, // no better than none, for one command
	} {
		a, commands, roundTrips := read(hint)
		require.Equal(t, want, [2]int64{commands, roundTrips}, hint)
		require.Equal(t, plain.Header.Get("ETag"), a.Header.Get("ETag"), hint)
	}
	commands, _ = s.Spent(func() { s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/player00700?near=701")) })
	withHint := commands
	commands, _ = s.Spent(func() { s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/player00700")) })
	require.Equal(t, commands, withHint, "a card's rank and score are one command's answer")
}

// A hint decides nothing: it does not find a player who has no entry.
func TestAHintDoesNotFindWhoIsNotThere(t *testing.T) {
	s := apitest.NewStack(t)
	s.Crowd(1500)
	for _, hint := range []string{"?near=1", "?near=1500", "?near=999999"} {
		s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/around/nobody"+hint)).Problem(t, "not-on-board")
	}
}

func TestHintsAreWholeRanks(t *testing.T) {
	s := apitest.NewStack(t)
	for _, path := range []string{"/players/user_a", "/around/user_a"} {
		for _, near := range []string{"0", "-1", "1.5", "first", "1000000001", "99999999999999999999"} {
			commands, _ := s.Spent(func() {
				p := s.Want(http.StatusBadRequest, apitest.Get(apitest.Daily+path+"?near="+near)).Problem(t, "invalid-request")
				require.Equal(t, "?near", p.Errors[0].Pointer)
			})
			require.Zero(t, commands)
		}
	}
}
