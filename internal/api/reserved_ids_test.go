package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A player with a reserved id could be neither shown, nor banned, nor erased, so no door takes
// one.
func TestNoDoorTakesAReservedID(t *testing.T) {
	s := apitest.NewKeptStack(t)
	apitest.Active(apitest.Plain(apitest.Call{}))(s)
	for _, id := range []string{".", "..", "me", "erased"} {
		items := s.Batch(batchOf(fmt.Sprintf(`{"mode":"daily","player":%q,"score":5}`, id), `{"mode":"daily","player":"user_b","score":5}`)).Results
		require.Equal(t, 400, items[0].Problem.Status, id)
		require.Empty(t, items[1].Problem, id)
		require.Contains(t, string(s.Want(http.StatusOK, apitest.Post(apitest.EventsPath, strings.Replace(apitest.GoodEvents, `"user_a"`, fmt.Sprintf("%q", id), 1)).Signed()).Body), `"reason":"bad_players"`)
		calls := []apitest.Call{
			apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":"daily","player":%q,"score":5}`, id)).Signed(),
			apitest.Post(apitest.Lookup, fmt.Sprintf(`{"players":[%q]}`, id)),
			s.As("user_a", apitest.Post(apitest.RequestsPath, fmt.Sprintf(`{"player":%q}`, id))),
			s.ClerkMessage(fmt.Sprintf("msg_%x", id), apitest.UserSaved(id, "Ana", 1)),
			apitest.Remove(apitest.OpsScores, fmt.Sprintf(`{"mode":"daily","date":%q,"player":%q}`, apitest.Today, id)).Bearer(apitest.OpsToken),
		}
		if id == "erased" { // the paths of the others are resolved, or mean the caller
			calls = append(calls,
				apitest.Get(apitest.Daily+"/players/erased"), apitest.Get(apitest.Daily+"/around/erased"), apitest.Put("/v1/ops/bans/erased", `{"reason":"x"}`).Bearer(apitest.OpsToken),
				apitest.Remove("/v1/ops/players/erased", "").Bearer(apitest.OpsToken),
				s.As("user_a", apitest.Put(apitest.BlocksPath+"/erased", "")),
			)
		}
		calls = append(calls, callsOfDuels(s, id)...)
		for _, c := range calls {
			s.Want(http.StatusBadRequest, c).Problem(t, "invalid-request")
		}
		s.Want(http.StatusUnauthorized, s.As(id, apitest.Post(apitest.Scores, apitest.GoodScore))).Problem(t, "unauthenticated")
	}
}
