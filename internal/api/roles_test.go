package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/apitest"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// An operator without the role that a route needs is refused before anything is read of the
// request or of Redis; nothing is changed or noted. Every route for operators is tried.
func TestNoRouteServesAnOperatorOfALesserRole(t *testing.T) {
	s, served := apitest.NewStack(t), apitest.NewStack(t)
	path := strings.NewReplacer("{player}", "user_z", "{id}", "aa", "{badge}", "perfect")
	tried := map[auth.Role]int{}
	for _, row := range apitest.AllRows(t) {
		needed := row.Auth.Role()
		if needed == auth.NoRole {
			require.NotContains(t, row.Pattern, "/v1/ops/")
			continue
		}
		require.Contains(t, row.Pattern, " /v1/ops/")
		method, target, _ := strings.Cut(path.Replace(row.Pattern), " ")
		for token, who := range map[string]auth.Operator{
			apitest.ReadToken: {Name: "ada", Role: auth.Read}, apitest.ModerateToken: {Name: "ben", Role: auth.Moderate}, apitest.OpsToken: {Role: auth.Administer},
		} {
			t.Run(row.Pattern+" by "+who.Role.String(), func(t *testing.T) {
				call := apitest.Put(target, `{"no":"such"}`).By(method).Bearer(token)
				if who.Role >= needed {
					require.NotEqual(t, http.StatusForbidden, served.On(t).Do(call).Status)
					return
				}
				s := s.On(t)
				tried[needed]++
				commands, _ := s.Spent(func() {
					detail := s.Do(call).Problem(t, "forbidden").Detail
					require.Equal(t, who.Actor()+" has the role "+who.Role.String()+"; this needs "+needed.String(), detail)
				})
				require.Zero(t, commands)
				require.Zero(t, s.Audit.Len())
			})
		}
	}
	require.NotZero(t, tried[auth.Moderate])
	require.NotZero(t, tried[auth.Administer])
}

// A signature does not raise a role: only who may administer sends scores as of another time.
func TestScoresOfThePastNeedAnAdministrator(t *testing.T) {
	s := apitest.NewStack(t)
	past := apitest.Post(apitest.Scores, `{"mode":"daily","player":"user_a","score":1,"played_at":"2026-11-18T10:00:00Z"}`).Signed()
	for _, token := range []string{apitest.ReadToken, apitest.ModerateToken} {
		require.Contains(t, s.Want(http.StatusForbidden, past.Bearer(token)).Problem(t, "forbidden").Detail, "this needs administer")
	}
	s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/players/user_a"))
	s.Want(http.StatusCreated, past.Bearer(apitest.OpsToken))
}

// Two operators act at the same time: each act is noted with the name of its own.
func TestEachActIsNotedWithTheNameOfItsOperator(t *testing.T) {
	s := apitest.NewStack(t)
	l := &ledger{ids: map[string]bool{}}
	s.Archive = l
	s.Handler = s.Process()
	var all sync.WaitGroup
	for token, player := range map[string]string{apitest.ModerateToken: "user_y", apitest.OpsToken: "user_z"} {
		all.Go(func() { s.Do(apitest.Put("/v1/ops/bans/"+player, `{"reason":"x"}`).Bearer(token)) })
	}
	all.Wait()
	require.ElementsMatch(t, []string{"ban user_y: x by operator ben", "ban user_z: x by operator"}, l.acts)
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get(opsHealth).Bearer(apitest.ReadToken)).Body), `"operator":{"actor":"operator ada","role":"read"}`)
}
