package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A player with a reserved id could be neither shown, nor banned, nor erased, so no door takes
// one.
func TestNoDoorTakesAReservedID(t *testing.T) {
	s := newFriendsStack(t)
	active(plain(call{}))(s)
	for i, id := range []string{".", "..", "me", "erased"} {
		items := s.batch(batchOf(fmt.Sprintf(`{"mode":"daily","player":%q,"score":5}`, id), `{"mode":"daily","player":"user_b","score":5}`)).Results
		require.Equal(t, 400, items[0].Problem.Status, id)
		require.Empty(t, items[1].Problem, id)
		event := strings.Replace(goodEvents, `"user_a"`, fmt.Sprintf("%q", id), 1)
		require.Contains(t, string(s.want(http.StatusOK, post(eventsPath, event).signed()).body), `"reason":"bad_players"`)
		calls := []call{
			post(scores, fmt.Sprintf(`{"mode":"daily","player":%q,"score":5}`, id)).signed(),
			post(lookup, fmt.Sprintf(`{"players":[%q]}`, id)),
			post(duelsPath, fmt.Sprintf(`{"players":["user_a",%q]}`, id)).signed(),
			s.as("user_a", post(duelsPath, fmt.Sprintf(`{"opponent":%q}`, id))),
			s.as("user_a", post(requestsPath, fmt.Sprintf(`{"player":%q}`, id))),
			s.told(fmt.Sprint("msg_", i), userSaved(id, "Ana", 1)),
			remove(opsScores, fmt.Sprintf(`{"mode":"daily","date":%q,"player":%q}`, today, id)).bearer(opsToken),
		}
		if id == "erased" { // the paths of the others are resolved, or mean the caller
			calls = append(calls,
				get(daily+"/players/erased"), get(daily+"/around/erased"), put("/v1/ops/bans/erased", `{"reason":"x"}`).bearer(opsToken),
				remove("/v1/ops/players/erased", "").bearer(opsToken), s.as("user_a", put(blocksPath+"/erased", "")))
		}
		for _, c := range calls {
			s.want(http.StatusBadRequest, c).problem(t, "invalid-request")
		}
		s.want(http.StatusUnauthorized, s.as(id, post(scores, goodScore))).problem(t, "unauthenticated")
	}
}
