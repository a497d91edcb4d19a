package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// A game that ranks groups and has seasons makes some requests dearer than the table:
// by amounts that are known, and no more the more groups there are.
func TestNoRequestOfADearerGameCostsMoreThanItsRoute(t *testing.T) {
	s := withSeasons(t)
	s.Clock.Stop()
	for _, mode := range []string{"daily: {max: 1000, xp: 1, scopes: [country, region, group],"} {
		dearer := strings.Replace(s.Game, mode, mode+" teams: sum,", 1)
		require.NotEqual(t, s.Game, dearer)
		s.Game = dearer
	}
	s.Handler = s.Process()
	const groups = derive.TeamsCommands + 120
	for some := 0; some < groups; some += 8 {
		names := []string{}
		for i := some; i < min(some+8, groups); i++ {
			names = append(names, fmt.Sprintf("%q", fmt.Sprint("team", i)))
		}
		s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":"daily","player":"user_t%d","score":5,"groups":[%s]}`, some, strings.Join(names, ","))).Signed())
	}
	for day := range 12 {
		s.Clock.Set(apitest.Noon.AddDate(0, 0, day-11))
		for _, mode := range []string{"daily", "longest", "tied"} {
			s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":%q,"player":"user_z","score":7,"country":"BR","groups":["g1"]}`, mode)).Signed())
		}
		_, err := s.Keeper(nil).Daily(t.Context())
		require.NoError(t, err)
	}
	spends := func(request func(*apitest.Stack) apitest.Call, price int) int64 {
		s.Clock.Set(s.Clock.Now().Add(20 * time.Minute)) // it is due again
		c := request(s)
		s.Handler = s.Process()
		before := s.Billed()
		commands, _ := s.Spent(func() { require.Less(t, s.Send(c).Status, 500) })
		require.Equal(t, s.Billed()-before, commands)
		require.LessOrEqual(t, commands, int64(price))
		return commands
	}
	most := int64(0)
	for _, period := range []string{"day", "week", "month", "season", "alltime"} {
		for path, price := range map[string]int{
			apitest.Daily: apitest.Prices(t)["GET /v1/leaderboards/{mode}"], apitest.Daily + "/players/team1": apitest.Prices(t)["GET /v1/leaderboards/{mode}/players/{player}"],
			apitest.Daily + "/around/team1": apitest.Prices(t)["GET /v1/leaderboards/{mode}/around/{player}"],
		} {
			for range 2 { // each part in its turn
				most = max(most, spends(apitest.Plain(apitest.Get(path+"?scope=groups&period="+period)), price+api.OfGroups))
			}
		}
	}
	require.Greater(t, most, int64(derive.TeamsCommands), "it works out as much as one refresh may")

	g, err := gamefile.Parse("test.yaml", []byte(s.Game))
	require.NoError(t, err)
	erasure := spends(apitest.As("user_z", apitest.Remove(apitest.Myself, "")), api.ErasureIn(g))
	require.Greater(t, erasure, int64(apitest.Prices(t)["DELETE /v1/me"])*4/5)

	page, err := os.ReadFile("../../docs/internals/limits.md")
	require.NoError(t, err)
	require.Contains(t, string(page), fmt.Sprintf("up to %d commands more", api.OfGroups))
	require.Contains(t, string(page), fmt.Sprintf("%d more for each season", (api.ErasureIn(g)-apitest.Prices(t)["DELETE /v1/me"])/2))
}
