package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// A play is sent, sent again in time, and sent again when it is too late.
func TestAPlayThatIsSentAgainSaysWhatItsViewLacks(t *testing.T) {
	s := apitest.Playing(t)
	s.Game += testBudget
	s.Handler = s.Process()
	s.Guard.LearnDay(game.DateOf(apitest.Noon), 1_000_000)
	body := apitest.Scored(s.Take("user_a", "seeded"), 5, `,"view":["page"]`)
	for range 3 {
		a := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, body)))
		require.Equal(t, "caches", a.Header.Get("Framedle-Degraded"))
		s.Clock.Pass(4 * time.Minute)
	}
}
