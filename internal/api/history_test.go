package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// historyModes have a board each in the past; coins would need a key for each score.
var historyModes = []string{"daily", "longest", "fastest", "newest", "tied"}

// playHistory has players play every mode on some days of November, closes
// them, and keeps the history.
func playHistory(t *testing.T) (*apitest.Stack, *archive.Archive) {
	s := apitest.NewStack(t)
	a := apitest.OpenArchive(t, archivetest.Database(t))
	s.History = jobs.NewHistory(a)
	s.Handler = s.Process()
	for n, day := range []int{12, 13, 16, 17, 18} {
		midnight := time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)
		for i := range 8 {
			s.Clock.Set(midnight.Add(time.Duration(8+i) * time.Hour))
			for m, mode := range historyModes {
				if (i+n+m)%5 == 4 {
					continue // somebody misses a day now and then
				}
				body := fmt.Sprintf(`{"mode":%q,"score":%d`, mode, (i*7+n*3+m)%9)
				if mode == "daily" {
					body += fmt.Sprintf(`,"details":{"n":%d}`, n)
				}
				if mode == "daily" || mode == "longest" {
					body += fmt.Sprintf(`,"country":%q`, []string{"BR", "PT"}[i%2])
				}
				token := s.TokenWith(fmt.Sprintf("user_%d", i), map[string]any{"name": fmt.Sprintf("Name %d", i)})
				s.Want(http.StatusCreated, apitest.Post(apitest.Scores, body+"}").Bearer(token))
			}
		}
		s.Clock.Set(midnight.Add(24*time.Hour + 20*time.Minute))
		_, err := s.Keeper(a).Daily(t.Context())
		require.NoError(t, err)
	}
	for _, monday := range []int{16, 23} {
		s.Clock.Set(time.Date(2026, 11, monday, 0, 30, 0, 0, time.UTC))
		_, err := s.Keeper(a).Weekly(t.Context(), s.Clock.Now())
		require.NoError(t, err)
	}
	return s, a
}

// historyQueries name the periods and scopes that were played, and some that were not.
func historyQueries(mode string) []string {
	queries := []string{"date=2026-11-16", "date=2026-11-17", "date=2026-11-14", "period=week&date=2026-11-18", "period=week&date=2026-11-12"}
	if mode == "daily" || mode == "longest" {
		queries = append(queries, "date=2026-11-17&scope=country:BR", "period=week&date=2026-11-18&scope=country:PT", "date=2026-11-17&scope=country:JP")
	}
	return queries
}

func historyCalls() (calls []apitest.Call) {
	for _, mode := range historyModes {
		base := "/v1/leaderboards/" + mode
		for _, query := range historyQueries(mode) {
			for _, page := range []string{"", "&limit=3", "&limit=3&offset=2", "&limit=2&offset=6", "&offset=50"} {
				calls = append(calls, apitest.Get(base+"?"+query+page))
			}
			for _, player := range []string{"user_0", "user_3", "user_7", "nobody"} {
				calls = append(calls, apitest.Get(base+"/players/"+player+"?"+query),
					apitest.Get(base+"/around/"+player+"?range=1&"+query), apitest.Get(base+"/around/"+player+"?"+query))
			}
			calls = append(calls, apitest.Post(base+"/lookup?"+query, `{"players":["user_7","nobody","user_2","user_5"]}`))
		}
	}
	return calls
}

// told is an answer without the moment it was read, and the request's own id.
func told(a apitest.Answer) string {
	text := string(a.Body)
	for _, name := range []string{`"updated_at":"`, `"instance":"`} {
		if before, after, ok := strings.Cut(text, name); ok {
			_, after, _ = strings.Cut(after, `"`)
			text = before + after
		}
	}
	return fmt.Sprintf("%d %s", a.Status, text)
}

// What Redis said of a closed period, history says too, to the letter.
func TestHistoryAnswersAsRedisDid(t *testing.T) {
	s, _ := playHistory(t)
	s.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	s.Handler = s.Process() // what the one before remembers of pages is a week old
	var before []apitest.Answer
	for _, c := range historyCalls() {
		before = append(before, s.Do(c))
	}
	s.LeaveRedis()
	entries := 0
	for i, c := range historyCalls() {
		commands, _ := s.Spent(func() {
			a := s.Do(c)
			require.Equal(t, told(before[i]), told(a), "%s %s", c.Method, c.Target)
			require.Equal(t, before[i].Header.Get("ETag"), a.Header.Get("ETag"), "it is still the same to caches")
			entries += strings.Count(string(a.Body), `"rank"`)
		})
		require.LessOrEqual(t, commands, int64(1), "names are all that is asked of Redis")
	}
	require.Greater(t, entries, 500)
}

func TestAMonthIsReadFromHistory(t *testing.T) {
	s, _ := playHistory(t)
	s.Clock.Set(time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC))
	const target = "/v1/leaderboards/daily?period=month&date=2026-11-01"
	before := s.Want(http.StatusOK, apitest.Get(target))
	s.LeaveRedis()
	a := s.Want(http.StatusOK, apitest.Get(target))
	require.Equal(t, told(before), told(a))
	var page apitest.PageBody
	a.Into(t, &page)
	require.Len(t, page.Entries, 8)
	require.True(t, page.Closed)
	require.Contains(t, a.Header.Get("Cache-Control"), "s-maxage=3")
}

// Cards of the past have the rank of the period before, which Redis could no longer give on
// the last day of its board.
func TestACardOfHistoryKnowsThePeriodBefore(t *testing.T) {
	s, _ := playHistory(t)
	s.LeaveRedis()
	for query, known := range map[string]bool{
		"date=2026-11-13": true, "date=2026-11-16": false, "date=2026-11-17": true, "period=week&date=2026-11-18": true,
	} {
		var card struct {
			Rank         int64
			PreviousRank *int64 `json:"previous_rank"`
			RankChange   *int64 `json:"rank_change"`
		}
		a := s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/longest/players/user_4?"+query))
		require.NoError(t, jsonInto(a, &card))
		require.Equal(t, known, card.PreviousRank != nil, "%s: %s", query, a.Body)
		if known {
			require.Equal(t, *card.PreviousRank-card.Rank, *card.RankChange)
		}
	}
}

func TestAWalkBegunInRedisGoesOnInHistory(t *testing.T) {
	s, _ := playHistory(t)
	s.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	for _, target := range []string{
		"/v1/leaderboards/daily?limit=2&date=2026-11-17", "/v1/leaderboards/tied?limit=2&period=week&date=2026-11-17",
		"/v1/leaderboards/fastest?limit=2&period=week&date=2026-11-17",
	} {
		s := s.On(t)
		want := s.Walk(target, func() {})
		require.Greater(t, len(want), 4)
		s.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
		require.Equal(t, want, s.Walk(target, func() { s.Clock.Set(time.Date(2027, 7, 1, 12, 0, 0, 0, time.UTC)) }), target)
		require.Equal(t, want, s.Walk(target, func() {}), target)

		cursor := s.Page(target).NextCursor
		for _, other := range []string{"daily?date=2026-11-16", "longest?date=2026-11-17", "daily?period=week&date=2026-11-17&scope=country:BR"} {
			s.Want(http.StatusBadRequest, apitest.Get("/v1/leaderboards/"+other+"&cursor="+cursor)).Problem(t, "invalid-request")
		}
		s.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	}
}

func TestWithoutAHistoryAPageSaysSo(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	for target, says := range map[string]bool{
		"daily?date=" + apitest.LongAgo: true, "daily?period=month&date=2026-01-01": true, "daily?date=0001-01-01": true,
		"daily": false, "daily?date=" + apitest.Yesterday: false, "daily?period=month&date=" + apitest.LongAgo: false, "daily?period=alltime": false, "xp": false,
		"daily?date=2030-01-01": false,
	} {
		a := s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/"+target))
		require.Equal(t, says, strings.Contains(string(a.Body), `"history":"unavailable"`), "%s: %s", target, a.Body)
	}
	s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/players/user_a?date="+apitest.LongAgo)).Problem(t, "not-on-board")
}

// Without Postgres only expired boards are unavailable; all others are answered at the same
// cost, because nobody asks a history.
func TestWithoutPostgresBoardsInRedisAreAnswered(t *testing.T) {
	s := apitest.NewStack(t)
	s.History = jobs.NewHistory(apitest.OpenArchive(t, "postgres://nobody@127.0.0.1:1/none"))
	s.Handler = s.Process()
	s.Play("user_a", "daily", "700")
	for _, target := range []string{"?date=", "/players/user_a?date=", "/around/user_a?date="} {
		s.Want(http.StatusServiceUnavailable, apitest.Get(apitest.Daily+target+apitest.LongAgo)).Problem(t, "temporarily-unavailable")
	}
	p := s.Want(http.StatusServiceUnavailable, apitest.Post(apitest.Lookup+"?date="+apitest.LongAgo, goodLookup)).Problem(t, "temporarily-unavailable")
	require.Contains(t, p.Detail, "archive")

	s.History = untouched{}
	s.Handler = s.Process()
	s.Clock.Set(apitest.Noon.AddDate(0, 0, -1))
	s.Play("user_b", "daily", "700")
	s.Clock.Set(apitest.Noon)
	for _, target := range []string{"", "?date=" + apitest.Yesterday, "?period=week", "?period=month", "?period=alltime"} {
		s.Want(http.StatusOK, apitest.Get(apitest.Daily+target))
	}
	s.Want(http.StatusOK, apitest.Get(apitest.Card))
	s.Want(http.StatusNotFound, apitest.Get(apitest.Card+"?date="+apitest.Yesterday))
	s.Want(http.StatusOK, apitest.Get(around))
	s.Want(http.StatusOK, apitest.Post(apitest.Lookup, goodLookup))
}

// untouched is a history that nobody may ask: it has no methods.
type untouched struct{ app.History }

// A cursor remains valid after the archive has deleted its entry.
func TestACursorOutlivesItsEntry(t *testing.T) {
	s, a := playHistory(t)
	s.LeaveRedis()
	const target = "/v1/leaderboards/daily?date=2026-11-17"
	all := s.Page(target).Entries
	first := s.Page(target + "&limit=2")
	_, err := a.Results.Delete(t.Context(), "daily", game.NewDate(2026, 11, 17), all[1].Player, game.Act{ID: "a", Actor: "operator", At: apitest.Noon})
	require.NoError(t, err)
	rest := s.Page(target + "&limit=200&cursor=" + first.NextCursor)
	require.Equal(t, len(all)-1, int(rest.Total))
	for i, e := range rest.Entries {
		require.Equal(t, all[i+2].Player, e.Player)
		require.Equal(t, all[i+2].Rank-1, e.Rank)
	}
}
