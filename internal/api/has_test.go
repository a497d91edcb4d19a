package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everythingToldOfAPlayer has two players play and a duel decided, and returns every answer
// that could contain XP, a level or a streak.
func everythingToldOfAPlayer(s *apitest.Stack, mode string) string {
	s.Clock.Stop()
	var answer strings.Builder
	tell := func(status int, c apitest.Call) {
		a := s.Want(status, c)
		fmt.Fprintf(&answer, "%s %s\n%s\n", c.Method, c.Target, strings.TrimSuffix(string(a.Body), "\n"))
	}
	tell(200, s.As("user_a", apitest.Get(apitest.Myself)))
	s.Play("user_a", mode, "3")
	tellDuels(s, tell)
	tell(200, s.As("user_a", apitest.Get(apitest.Myself)))
	tell(200, apitest.Get("/v1/leaderboards/xp"))
	tell(200, s.As("user_a", apitest.Get(apitest.Myself)))
	tell(200, s.As("user_a", apitest.Get(apitest.MyExport)))
	tell(200, apitest.Get("/v1/ops/players/user_a").Bearer(apitest.OpsToken))
	tell(200, apitest.Get("/v1/ops/players/user_nobody").Bearer(apitest.OpsToken))
	return answer.String()
}

func TestWhatAGameDoesNotHaveIsNotTold(t *testing.T) {
	const plain = "name: plain\nmodes:\n  word: {max: 6}\n"
	for _, c := range []struct {
		name, game string
		xp, streak bool
	}{
		{"neither", "streak: off\n" + plain, false, false},
		{"streaks", plain, false, true},
		{"XP", "streak: off\n" + strings.Replace(plain, "max: 6", "max: 6, xp: {play: 1}", 1), true, false},
		{"XP of duels", "streak: off\nduels: {xp: 1, points: {win: 5}}\n" + plain, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := apitest.NewStack(t)
			s.Game = c.game
			s.Handler = s.Process()
			answer := everythingToldOfAPlayer(s, "word")
			for _, field := range []string{"xp", "level"} {
				require.Equal(t, c.xp, strings.Contains(answer, `"`+field+`":`), "%s\n%s", field, answer)
			}
			require.Equal(t, c.xp, strings.Contains(answer, `"xp_rank":`), answer)
			require.Equal(t, c.streak, strings.Contains(answer, `"streak":{`), answer)
			var me map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.Myself))).Body, &me))
			require.Contains(t, me, "today")
		})
	}
}
