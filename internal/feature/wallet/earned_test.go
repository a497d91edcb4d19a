package wallet_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func earningPlays(t *testing.T) *apitest.Stack {
	s := apitest.NewStack(t)
	s.Game = apitest.PlaysHead + "currencies: {coins: {seeded: 1, time_30: 2, plain: 10}}\n" + apitest.PlaysModes
	s.Handler = s.Process()
	return s
}

func TestModesWithoutPlaysEarnByTheDay(t *testing.T) {
	s := earningPlays(t)
	for _, score := range []string{"5", "7", "6"} {
		s.Play("user_a", "plain", score)
	}
	require.Contains(t, s.Wallet("user_a"), `"earned":10,`)
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"seeded","player":"user_a","score":5}`).Signed())
	require.Contains(t, s.Wallet("user_a"), `"earned":10,`, "a game server's score without a play is none")
}
