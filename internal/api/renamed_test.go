package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const (
	namedWord    = "name: testing\nlimits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}\nmodes:\n  word: {max: 100, xp: 1, scopes: [country, group], details: true}\n  other: {max: 100}\n"
	namedLetters = "renamed_from: word, max: 100"
)

// renamed is what answers become when word is called letters.
func renamed(body string) string {
	return strings.ReplaceAll(body, `"mode":"word"`, `"mode":"letters"`)
}

// aboutWord are questions that are answered with the mode's name, or by it.
func aboutWord(s *apitest.Stack) (all []apitest.Call) {
	const base = "/v1/leaderboards/word"
	for _, query := range []string{"", "?date=2026-11-17", "?period=week", "?period=week&date=2026-11-12", "?period=month", "?period=alltime", "?scope=country:BR", "?period=week&scope=group:red"} {
		all = append(all, apitest.Get(base+query), apitest.Get(base+"/players/user_1"+query), apitest.Get(base+"/around/user_1"+query),
			apitest.Post(base+"/lookup"+query, `{"players":["user_1","user_2"]}`))
		if !strings.HasPrefix(query, "?scope") { // a board of friends has no scope
			all = append(all, s.As("user_1", apitest.Get(base+"/friends"+strings.Split(query, "&scope")[0])))
		}
	}
	all = append(all, aboutDuels(s)...)
	return append(all,
		apitest.Get("/v1/leaderboards/xp"),
		s.As("user_1", apitest.Get(apitest.Myself)), apitest.Get("/v1/ops/players/user_1").Bearer(apitest.OpsToken), apitest.Get("/v1/ops/players/user_2").Bearer(apitest.OpsToken),
		apitest.Get("/v1/ops/log").Bearer(apitest.OpsToken))
}

// A mode that is renamed is the same mode: its boards, plays, details, XP, badges,
// history and duels are told under the new name, whichever of the two is asked for.
func TestARenamedModeIsTheSameMode(t *testing.T) {
	s := apitest.NewStack(t)
	s.Database = archivetest.Database(t)
	kept := apitest.OpenArchive(t, s.Database)
	s.History, s.Game = jobs.NewHistory(kept), namedWord
	s.Archive = jobs.Removals(app.New(app.Parts{
		Game: s.Keeper(kept).Game, Redis: s.Client, Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler), Secrets: []string{"a secret"},
	}), kept).Archive
	s.Handler = s.Process()
	submit := func(player int, mode, date string, score int) apitest.Answer {
		body := fmt.Sprintf(`{"mode":%q,"date":%q,"player":"user_%d","score":%d,"country":"BR","groups":["red"],"details":{"n":%d}}`, mode, date, player, score, score)
		return s.Do(apitest.Post(apitest.Scores, body).Signed())
	}
	daily := func() {
		_, err := s.Keeper(kept).Daily(t.Context())
		require.NoError(t, err)
	}
	for _, day := range []int{12, 13, 17} {
		midnight := time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)
		for player := range 4 {
			s.Clock.Set(midnight.Add(time.Duration(8+player) * time.Hour))
			require.Equal(t, http.StatusCreated, submit(player, "word", fmt.Sprintf("2026-11-%d", day), 10*player+day).Status)
		}
		s.Clock.Set(midnight.Add(24*time.Hour + 20*time.Minute))
		daily()
	}
	_, err := s.Keeper(kept).Weekly(t.Context(), time.Date(2026, 11, 16, 0, 30, 0, 0, time.UTC))
	require.NoError(t, err)
	s.Clock.Set(apitest.Noon)
	s.Clock.Stop()
	submit(1, "word", apitest.Today, 50)
	submit(2, "word", apitest.Today, 60)
	wordHasDuels(s)
	s.Want(http.StatusOK, apitest.Call{Method: http.MethodDelete, Target: "/v1/ops/scores", Header: map[string]string{"Content-Type": "application/json"},
		Body: `{"mode":"word","date":"2026-11-13","player":"user_3"}`}.Bearer(apitest.OpsToken))

	calls := aboutWord(s)
	var before []string
	for _, c := range calls {
		before = append(before, renamed(string(s.Want(http.StatusOK, c).Body)))
	}
	s.Game = strings.Replace(s.Game, "word: {max: 100", "letters: {"+namedLetters, 1)
	s.Handler = s.Process()
	same := func(when string) {
		t.Helper()
		for i, c := range calls {
			for _, name := range []string{"letters", "word"} {
				c.Target = strings.Replace(c.Target, "/word", "/"+name, 1)
				got := s.Want(http.StatusOK, c)
				require.Equal(t, before[i], string(got.Body), "%s: %s %s", when, c.Method, c.Target)
			}
		}
	}
	same("renamed")

	// What has been played stands, by either name.
	for _, name := range []string{"letters", "word"} {
		a := submit(1, name, apitest.Today, 90)
		require.Equal(t, http.StatusOK, a.Status)
		require.Contains(t, string(a.Body), `{"mode":"letters","date":"2026-11-18","player":"user_1","status":"kept","score":50,"submitted":90`)
		require.Contains(t, string(a.Body), `"board":"lb:word:2026-11-18"`)
	}
	same("played again")
	a := s.Want(http.StatusOK, apitest.Post("/v1/scores/batch", `{"scores":[{"mode":"word","player":"user_3","score":7},{"mode":"letters","player":"user_3","score":8}]}`).Signed())
	require.Equal(t, 2, strings.Count(string(a.Body), `"mode":"letters"`), string(a.Body))
	require.Contains(t, string(a.Body), `"status":"kept","score":7,"submitted":8`)
	s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/words")).Problem(t, "unknown-mode")

	lettersHaveDuels(s)

	// Days close into the same history, and come back from it.
	s.Want(http.StatusOK, apitest.Call{Method: http.MethodDelete, Target: "/v1/ops/scores", Header: map[string]string{"Content-Type": "application/json"},
		Body: `{"mode":"letters","date":"2026-11-18","player":"user_3"}`}.Bearer(apitest.OpsToken))
	s.Clock.Set(apitest.Noon.Add(12*time.Hour + 20*time.Minute))
	daily()
	agree := func() {
		t.Helper()
		verified, err := s.Keeper(kept).Verify(t.Context(), func(d lifecycle.Difference) { t.Error(d) })
		require.NoError(t, err)
		require.Positive(t, verified.Entries)
	}
	agree()
	boards := func() (all []string) {
		s.Handler = s.Process()
		for _, query := range []string{"date=2026-11-18", "date=2026-11-12", "period=week&date=2026-11-18", "period=week&date=2026-11-12", "period=month&date=2026-11-12", "period=alltime"} {
			page := s.Page("/v1/leaderboards/letters?" + query)
			require.Equal(t, "letters", page.Mode)
			require.NotEmpty(t, page.Entries, query)
			all = append(all, fmt.Sprint(page.Entries))
		}
		return all
	}
	stood := boards()
	_, err = s.Redis.Server.Redis().Do(t.Context(), "FLUSHALL")
	require.NoError(t, err)
	_, err = s.Keeper(kept).Restore(t.Context(), closing.RestoreOptions{})
	require.NoError(t, err)
	agree()
	require.Equal(t, stood, boards())
	s.LeaveRedis()
	page := s.Page("/v1/leaderboards/letters?period=week&date=2026-11-12")
	require.Equal(t, "letters", page.Mode)
	require.Len(t, page.Entries, 4, "from the history")
}
