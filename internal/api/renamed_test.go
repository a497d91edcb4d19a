package api_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/lifecycle/port"
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
func aboutWord(s *stack) (all []call) {
	const base = "/v1/leaderboards/word"
	for _, query := range []string{"", "?date=2026-11-17", "?period=week", "?period=week&date=2026-11-12", "?period=month", "?period=alltime", "?scope=country:BR", "?period=week&scope=group:red"} {
		all = append(all, get(base+query), get(base+"/players/user_1"+query), get(base+"/around/user_1"+query),
			post(base+"/lookup"+query, `{"players":["user_1","user_2"]}`), s.as("user_1", get(base+"/friends"+strings.Split(query, "&scope")[0])))
		if strings.HasPrefix(query, "?scope") {
			all = all[:len(all)-1] // a board of friends has no scope
		}
	}
	return append(all,
		get("/v1/leaderboards/xp"), get("/v1/leaderboards/duels"),
		s.as("user_1", get(myself)), get("/v1/ops/players/user_1").bearer(opsToken), get("/v1/ops/players/user_2").bearer(opsToken),
		get("/v1/ops/log").bearer(opsToken),
		s.as("user_1", get(duelsPath)), s.as("user_1", get(duelsPath+"/match")))
}

// A mode that is renamed is the same mode: its boards, plays, details, XP, badges,
// history and duels are told under the new name, whichever of the two is asked for.
func TestARenamedModeIsTheSameMode(t *testing.T) {
	s := newStack(t)
	s.database = archivetest.Database(t)
	kept := openArchive(t, s.database)
	s.history, s.game = jobs.NewHistory(kept), namedWord
	s.archive = jobs.Removals(app.New(app.Parts{
		Game: s.keeper(kept).Game, Redis: s.client, Now: s.clock.Now, Log: slog.New(slog.DiscardHandler), Secrets: []string{"a secret"},
	}), kept).Archive
	s.handler = s.process()
	submit := func(player int, mode, date string, score int) answer {
		body := fmt.Sprintf(`{"mode":%q,"date":%q,"player":"user_%d","score":%d,"country":"BR","groups":["red"],"details":{"n":%d}}`, mode, date, player, score, score)
		return s.do(post(scores, body).signed())
	}
	daily := func() {
		_, err := s.keeper(kept).Daily(t.Context())
		require.NoError(t, err)
	}
	for _, day := range []int{12, 13, 17} {
		midnight := time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)
		for player := range 4 {
			s.clock.Set(midnight.Add(time.Duration(8+player) * time.Hour))
			require.Equal(t, http.StatusCreated, submit(player, "word", fmt.Sprintf("2026-11-%d", day), 10*player+day).status)
		}
		s.clock.Set(midnight.Add(24*time.Hour + 20*time.Minute))
		daily()
	}
	_, err := s.keeper(kept).Weekly(t.Context(), time.Date(2026, 11, 16, 0, 30, 0, 0, time.UTC))
	require.NoError(t, err)
	s.clock.Set(noon)
	s.clock.Stop()
	submit(1, "word", today, 50)
	submit(2, "word", today, 60)
	s.want(http.StatusCreated, post(duelsPath, `{"id":"match","players":["user_1","user_2"],"mode":"word"}`).signed())
	s.want(http.StatusOK, s.as("user_1", post(queuePath, `{"mode":"word"}`)))
	s.want(http.StatusOK, call{method: http.MethodDelete, target: "/v1/ops/scores", header: map[string]string{"Content-Type": "application/json"},
		body: `{"mode":"word","date":"2026-11-13","player":"user_3"}`}.bearer(opsToken))

	calls := aboutWord(s)
	var before []string
	for _, c := range calls {
		before = append(before, renamed(string(s.want(http.StatusOK, c).body)))
	}
	s.game = strings.Replace(s.game, "word: {max: 100", "letters: {"+namedLetters, 1)
	s.handler = s.process()
	same := func(when string) {
		t.Helper()
		for i, c := range calls {
			for _, name := range []string{"letters", "word"} {
				c.target = strings.Replace(c.target, "/word", "/"+name, 1)
				got := s.want(http.StatusOK, c)
				require.Equal(t, before[i], string(got.body), "%s: %s %s", when, c.method, c.target)
			}
		}
	}
	same("renamed")

	// What has been played stands, by either name.
	for _, name := range []string{"letters", "word"} {
		a := submit(1, name, today, 90)
		require.Equal(t, http.StatusOK, a.status)
		require.Contains(t, string(a.body), `{"mode":"letters","date":"2026-11-18","player":"user_1","status":"kept","score":50,"submitted":90`)
		require.Contains(t, string(a.body), `"board":"lb:word:2026-11-18"`)
	}
	same("played again")
	a := s.want(http.StatusOK, post("/v1/scores/batch", `{"scores":[{"mode":"word","player":"user_3","score":7},{"mode":"letters","player":"user_3","score":8}]}`).signed())
	require.Equal(t, 2, strings.Count(string(a.body), `"mode":"letters"`), string(a.body))
	require.Contains(t, string(a.body), `"status":"kept","score":7,"submitted":8`)
	s.want(http.StatusNotFound, get("/v1/leaderboards/words")).problem(t, "unknown-mode")

	// Duels wait in one queue.
	met := s.want(http.StatusOK, s.as("user_2", post(queuePath, `{"mode":"letters"}`)))
	require.Contains(t, string(met.body), `"status":"ready"`)
	require.Contains(t, string(met.body), `"mode":"letters"`)
	left := s.want(http.StatusOK, s.as("user_2", call{method: http.MethodDelete, target: queuePath + "?mode=word"}))
	require.JSONEq(t, `{"status":"left","mode":"letters"}`, string(left.body))

	// Days close into the same history, and come back from it.
	s.want(http.StatusOK, call{method: http.MethodDelete, target: "/v1/ops/scores", header: map[string]string{"Content-Type": "application/json"},
		body: `{"mode":"letters","date":"2026-11-18","player":"user_3"}`}.bearer(opsToken))
	s.clock.Set(noon.Add(12*time.Hour + 20*time.Minute))
	daily()
	agree := func() {
		t.Helper()
		verified, err := s.keeper(kept).Verify(t.Context(), func(d port.Difference) { t.Error(d) })
		require.NoError(t, err)
		require.Positive(t, verified.Entries)
	}
	agree()
	boards := func() (all []string) {
		s.handler = s.process()
		for _, query := range []string{"date=2026-11-18", "date=2026-11-12", "period=week&date=2026-11-18", "period=week&date=2026-11-12", "period=month&date=2026-11-12", "period=alltime"} {
			page := s.page("/v1/leaderboards/letters?" + query)
			require.Equal(t, "letters", page.Mode)
			require.NotEmpty(t, page.Entries, query)
			all = append(all, fmt.Sprint(page.Entries))
		}
		return all
	}
	stood := boards()
	_, err = s.redis.Server.Redis().Do(t.Context(), "FLUSHALL")
	require.NoError(t, err)
	_, err = s.keeper(kept).Restore(t.Context(), closing.RestoreOptions{})
	require.NoError(t, err)
	agree()
	require.Equal(t, stood, boards())
	s.leaveRedis()
	page := s.page("/v1/leaderboards/letters?period=week&date=2026-11-12")
	require.Equal(t, "letters", page.Mode)
	require.Len(t, page.Entries, 4, "from the history")
}

// A score that waited in the queue while its mode was renamed is written.
func TestAScoreThatWaitsWhileItsModeIsRenamedIsWritten(t *testing.T) {
	s := newStack(t)
	waiting := &pending{}
	s.game, s.queue = namedWord, queue.Writer{Sender: waiting}
	s.handler = s.process()
	s.want(http.StatusAccepted, s.as("user_a", post(scores, `{"mode":"word","score":8}`)))
	s.game = strings.Replace(s.game, "word: {max: 100", "letters: {"+namedLetters, 1)
	s.handler = s.process()
	told := s.want(http.StatusAccepted, s.as("user_b", post(scores, `{"mode":"word","score":9}`)))
	require.Contains(t, string(told.body), `"mode":"letters"`)
	s.want(http.StatusAccepted, s.as("user_c", post(scores, `{"mode":"letters","score":7}`)))
	require.Len(t, waiting.messages, 3)
	s.ingestAll(waiting)
	require.Len(t, s.page("/v1/leaderboards/letters").Entries, 3)
}
