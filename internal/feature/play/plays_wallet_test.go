package play_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachPlayThatEarnsIsCountedOnce(t *testing.T) {
	s := apitest.Playing(t)
	count := func() string {
		n, err := s.Redis.Server.Redis().Do(t.Context(), "ZLEXCOUNT", "plays:coined:"+apitest.Today, "[user_a ", "(user_a!")
		require.NoError(t, err)
		return fmt.Sprint(n)
	}
	for n := 1; n <= 3; n++ {
		c := s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(s.Take("user_a", "coined"), 10-n, "")))
		first := s.Send(c)
		require.Contains(t, string(first.Body), `"earned":{"coins":3}`)
		for range 2 {
			s.Handler = s.Process()
			require.Equal(t, first.Body, s.Send(c).Body)
		}
		require.Equal(t, fmt.Sprint(n), count(), "what does not improve the board earns too")
	}
	server := s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"coined","player":"user_a","score":99}`).Signed())
	require.NotContains(t, string(server.Body), "earned")
	require.Equal(t, "3", count())
}
