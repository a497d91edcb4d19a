package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A deployment in queue mode accepts no scores of modes with plays, says so beforehand, and
// hands out no plays.
func TestAQueueShowsWhichModesAreUnavailable(t *testing.T) {
	unavailable := func(s *apitest.Stack) (names []string) {
		var g gameBody
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body, &g))
		for _, m := range g.Modes {
			if m.Unavailable {
				names = append(names, m.Name)
			}
		}
		return names
	}
	s := apitest.Playing(t)
	require.Empty(t, unavailable(s))
	taken := s.Take("user_a", "coined").Play
	s.QueuesInto(&apitest.Pending{})
	require.Equal(t, []string{"time_30", "seeded", "newest", "adding", "coined"}, unavailable(s))
	refused := s.Do(s.As("user_a", apitest.Post("/v1/scores", `{"mode":"coined","score":5,"play":"`+taken+`"}`)))
	require.Equal(t, "not-taken", refused.Reason(t))
	unasked := s.Do(s.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"coined"}`)))
	require.Equal(t, "not-taken", unasked.Reason(t))
	require.Equal(t, refused.Status, unasked.Status)
	s.Want(http.StatusAccepted, s.As("user_a", apitest.Post("/v1/scores", `{"mode":"plain","score":5}`)))
}
