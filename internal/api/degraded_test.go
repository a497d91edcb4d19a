package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// The budget allows 2,307 commands on the 18th, and 1,442 of them by noon.
const testBudget = "budget: {month: 30000}\n"

var spentFor = map[string]int64{"": 0, "caches": 1154, "caches, refresh": 1299, "caches, refresh, features": 1443}

// degradedStack is a product that knows what all processes have spent today.
func degradedStack(t *testing.T, spent int64) *apitest.Stack {
	s := apitest.NewStack(t)
	s.Game += testBudget
	s.Clock.Stop()
	s.Handler = s.Process()
	s.Guard.LearnDay(game.DateOf(apitest.Noon), spent)
	return s
}

func TestAnswersSayWhatTheBudgetHasTakenFromThem(t *testing.T) {
	const week = "?period=week"
	for measures, of := range map[string]struct{ page, weekPage, card, weekCard, week, cache string }{
		"":                          {"", "", "", "", "", openPage},
		"caches":                    {"caches", "caches", "", "", "", degradedPage},
		"caches, refresh":           {"caches", "caches, refresh", "", "refresh", "refresh", degradedPage},
		"caches, refresh, features": {"caches", "caches, refresh", "features", "refresh, features", "refresh", degradedPage},
	} {
		t.Run(measures, func(t *testing.T) {
			s := degradedStack(t, spentFor[measures])
			s.Play("user_a", "daily", "700")
			for target, want := range map[string]string{
				apitest.Daily: of.page, apitest.Daily + "?offset=1": of.page, apitest.Daily + week: of.weekPage,
				apitest.Card: of.card, apitest.Card + week: of.weekCard,
				around: "", around + week: of.week,
			} {
				a := s.Want(http.StatusOK, apitest.Get(target))
				require.Equal(t, want, a.Header.Get("Framedle-Degraded"), target)
				require.Equal(t, a.Header["Framedle-Degraded"], s.Want(http.StatusNotModified, apitest.Get(target).With("If-None-Match", a.Header.Get("ETag"))).Header["Framedle-Degraded"])
			}
			require.Equal(t, of.week, s.Want(http.StatusOK, apitest.Post(apitest.Lookup+week, goodLookup)).Header.Get("Framedle-Degraded"))
			require.Equal(t, of.week, s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.Daily+"/friends"+week))).Header.Get("Framedle-Degraded"))
			require.Equal(t, of.cache, s.Want(http.StatusOK, apitest.Get(apitest.Daily)).Header.Get("Cache-Control"))
			require.Empty(t, s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/me"))).Header.Get("Framedle-Degraded"))
		})
	}
}

// degradedPage is that of a page that may be five minutes old.
const degradedPage = "public, max-age=0, must-revalidate, s-maxage=295"

// However far the budget is exceeded, each score is taken and gets its rank, for the usual
// commands.
func TestTheBudgetRefusesNoScore(t *testing.T) {
	plain, degraded := degradedStack(t, 0), degradedStack(t, 1_000_000)
	require.Equal(t, 3, degraded.Guard.Measures().Level())
	for i := range 30 {
		score := fmt.Sprint((i * 37) % 101)
		var answers [2]string
		var spent [2]int64
		for n, s := range []*apitest.Stack{plain, degraded} {
			spent[n], _ = s.Spent(func() {
				a := s.Want(http.StatusCreated, s.As(fmt.Sprintf("user_%d", i), apitest.Post(apitest.Scores, `{"mode":"daily","score":`+score+`,"details":{"n":1}}`)))
				require.Empty(t, a.Header.Get("Framedle-Degraded"))
				answers[n] = string(a.Body)
			})
		}
		require.Equal(t, answers[0], answers[1])
		require.Equal(t, spent[0], spent[1])
	}
	batch := degraded.Want(http.StatusOK, apitest.Post(apitest.Scores+"/batch", `{"scores":[{"mode":"longest","score":5,"player":"a"},{"mode":"judged","score":5,"player":"b"}]}`).Signed())
	require.NotContains(t, string(batch.Body), "problem")
}

func TestUsageTellsTheBudgetAndWhatFollows(t *testing.T) {
	s := degradedStack(t, 0)
	for day, commands := range map[game.Date]int64{game.DateOf(apitest.Noon): 1400, game.DateOf(apitest.Noon).AddDays(-1): 4000} {
		_, err := s.Redis.Server.Redis().Do(t.Context(), "HSET", usage.MonthKey(day), day.String(), fmt.Sprint(commands))
		require.NoError(t, err)
	}
	var answer struct{ Budget json.RawMessage }
	commands, _ := s.Spent(func() {
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=1").Bearer(apitest.OpsToken)).Body, &answer))
	})
	require.EqualValues(t, usage.ProjectionDays+1, commands)
	require.JSONEq(t, `{"month": 30000, "month_before": 4000, "today": 1400, "allowance": 2000, "by_now": 1250, "pace": 1.12,
		"level": 3, "degraded": ["caches", "refresh", "features"]}`, string(answer.Budget))
	s.Clock.Set(apitest.Noon.Add(12*time.Hour - time.Second))
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=1").Bearer(apitest.OpsToken)).Body, &answer))
	require.Contains(t, string(answer.Budget), `"pace":0.7,"level":0,"degraded":[]`)
}
