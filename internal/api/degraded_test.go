package api_test

import (
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
func degradedStack(t *testing.T, spent int64) *stack {
	s := newStack(t)
	s.game += testBudget
	s.clock.Stop()
	s.handler = s.process()
	s.guard.LearnDay(game.DateOf(noon), spent)
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
			s.play("user_a", "daily", "700")
			for target, want := range map[string]string{
				daily: of.page, daily + "?offset=1": of.page, daily + week: of.weekPage,
				card: of.card, card + week: of.weekCard,
				around: "", around + week: of.week,
			} {
				a := s.want(http.StatusOK, get(target))
				require.Equal(t, want, a.header.Get("Framedle-Degraded"), target)
				require.Equal(t, a.header["Framedle-Degraded"], s.want(http.StatusNotModified, get(target).with("If-None-Match", a.header.Get("ETag"))).header["Framedle-Degraded"])
			}
			require.Equal(t, of.week, s.want(http.StatusOK, post(lookup+week, goodLookup)).header.Get("Framedle-Degraded"))
			require.Equal(t, of.week, s.want(http.StatusOK, s.as("user_a", get(daily+"/friends"+week))).header.Get("Framedle-Degraded"))
			require.Equal(t, of.cache, s.want(http.StatusOK, get(daily)).header.Get("Cache-Control"))
			require.Empty(t, s.want(http.StatusOK, s.as("user_a", get("/v1/me"))).header.Get("Framedle-Degraded"))
		})
	}
}

// degradedPage is that of a page that may be five minutes old.
const degradedPage = "public, max-age=0, must-revalidate, s-maxage=295"

// However far the budget is exceeded, each score is taken and gets its rank, for the usual
// commands.
func TestTheBudgetRefusesNoScore(t *testing.T) {
	plain, degraded := degradedStack(t, 0), degradedStack(t, 1_000_000)
	require.Equal(t, 3, degraded.guard.Measures().Level())
	for i := range 30 {
		score := fmt.Sprint((i * 37) % 101)
		var answers [2]string
		var spent [2]int64
		for n, s := range []*stack{plain, degraded} {
			spent[n], _ = s.spent(func() {
				a := s.want(http.StatusCreated, s.as(fmt.Sprintf("user_%d", i), post(scores, `{"mode":"daily","score":`+score+`,"details":{"n":1}}`)))
				require.Empty(t, a.header.Get("Framedle-Degraded"))
				answers[n] = string(a.body)
			})
		}
		require.Equal(t, answers[0], answers[1])
		require.Equal(t, spent[0], spent[1])
	}
	batch := degraded.want(http.StatusOK, post(scores+"/batch", `{"scores":[{"mode":"longest","score":5,"player":"a"},{"mode":"judged","score":5,"player":"b"}]}`).signed())
	require.NotContains(t, string(batch.body), "problem")
}

// A play is sent, sent again in time, and sent again when it is too late.
func TestAPlayThatIsSentAgainSaysWhatItsViewLacks(t *testing.T) {
	s := playing(t)
	s.game += testBudget
	s.handler = s.process()
	s.guard.LearnDay(game.DateOf(noon), 1_000_000)
	body := scored(s.take("user_a", "seeded"), 5, `,"view":["page"]`)
	for range 3 {
		a := s.want(http.StatusCreated, s.as("user_a", post(scores, body)))
		require.Equal(t, "caches", a.header.Get("Framedle-Degraded"))
		s.clock.Pass(4 * time.Minute)
	}
}

func TestUsageTellsTheBudgetAndWhatFollows(t *testing.T) {
	s := degradedStack(t, 0)
	for day, commands := range map[game.Date]int64{game.DateOf(noon): 1400, game.DateOf(noon).AddDays(-1): 4000} {
		_, err := s.redis.Server.Redis().Do(t.Context(), "HSET", usage.MonthKey(day), day.String(), fmt.Sprint(commands))
		require.NoError(t, err)
	}
	var told struct{ Budget json.RawMessage }
	commands, _ := s.spent(func() {
		require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(opsUsage+"?days=1").bearer(opsToken)).body, &told))
	})
	require.EqualValues(t, usage.ProjectionDays+1, commands)
	require.JSONEq(t, `{"month": 30000, "month_before": 4000, "today": 1400, "allowance": 2000, "by_now": 1250, "pace": 1.12,
		"level": 3, "degraded": ["caches", "refresh", "features"]}`, string(told.Budget))
	s.clock.Set(noon.Add(12*time.Hour - time.Second))
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(opsUsage+"?days=1").bearer(opsToken)).body, &told))
	require.Contains(t, string(told.Budget), `"pace":0.7,"level":0,"degraded":[]`)
}
