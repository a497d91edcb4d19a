package play_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A held play can be sent once like any other: with another body it counts as used, whichever
// body came first. So it never earns beside an accepted one.
func TestAPlayIsHeldOrTaken(t *testing.T) {
	for _, heldFirst := range []bool{true, false} {
		s := apitest.NewStack(t)
		s.Game += apitest.TypedMode + "currencies: {coins: {typed: 4}}\n"
		s.Handler = s.Process()
		one, two := s.Typing("user_a", human), ""
		_, rest, _ := strings.Cut(one.Body, `"proof"`)
		_, steadily, _ := strings.Cut(s.Typing("user_a", apitest.Steady).Body, `"proof"`)
		two = strings.TrimSuffix(one.Body, rest) + steadily
		bodies, status, earned := []string{one.Body, two}, http.StatusCreated, 4
		if heldFirst {
			bodies, status, earned = []string{two, one.Body}, http.StatusAccepted, 0
		}
		first := s.Want(status, s.As("user_a", apitest.Post(apitest.Scores, bodies[0])))
		require.Equal(t, "used", s.Do(s.As("user_a", apitest.Post(apitest.Scores, bodies[1]))).Reason(t))
		s.Handler = s.Process()
		require.Equal(t, first.Body, s.Want(status, s.As("user_a", apitest.Post(apitest.Scores, bodies[0]))).Body)
		require.Equal(t, "used", s.Do(s.As("user_a", apitest.Post(apitest.Scores, bodies[1]))).Reason(t))
		require.Contains(t, s.Wallet("user_a"), fmt.Sprintf(`"earned":%d,`, earned))
	}
}

// A play that is refused after it was claimed earns nothing, and can be sent again.
func TestAPlayThatIsRefusedEarnsNothing(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = apitest.PlaysHead + "currencies: {coins: {adding: 1}}\n" + strings.ReplaceAll(apitest.PlaysModes, "day_max: 1000", "day_max: 100")
	s.Handler = s.Process()
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(s.Take("user_a", "adding"), 90, ""))))
	p := s.Take("user_a", "adding")
	s.Do(s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 20, "")))).Problem(t, "score-out-of-bounds")
	require.Contains(t, s.Wallet("user_a"), `"earned":1,`)
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.Scored(p, 10, ""))))
	require.Contains(t, s.Wallet("user_a"), `"earned":2,`)
}
