package api_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// historyModes have a board each in the past; coins would need a key for each score.
var historyModes = []string{"daily", "longest", "fastest", "newest", "tied"}

// keeper closes what a stack has played, as the scheduled functions do.
func (s *stack) keeper(a *archive.Archive) *closing.Closing {
	g, err := gamefile.Parse("testing.yaml", []byte(s.game))
	require.NoError(s, err)
	of := app.New(app.Parts{Redis: s.client, Game: g, Now: s.clock.Now, Log: slog.New(slog.DiscardHandler)})
	return &closing.Closing{Game: g, Store: of.Store(), Archive: a, Now: s.clock.Now, Features: jobs.Features(of, a, nil, nil)}
}

func openArchive(t *testing.T, url string) *archive.Archive {
	return testkit.Archive(t, url, jobs.Tables()...)
}

// playHistory has players play every mode on some days of November, closes
// them, and keeps the history.
func playHistory(t *testing.T) (*stack, *archive.Archive) {
	s := newStack(t)
	a := openArchive(t, archivetest.Database(t))
	s.history = jobs.NewHistory(a)
	s.handler = s.process()
	for n, day := range []int{12, 13, 16, 17, 18} {
		midnight := time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)
		for i := range 8 {
			s.clock.Set(midnight.Add(time.Duration(8+i) * time.Hour))
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
				token := s.tokenWith(fmt.Sprintf("user_%d", i), map[string]any{"name": fmt.Sprintf("Name %d", i)})
				s.want(http.StatusCreated, post(scores, body+"}").bearer(token))
			}
		}
		s.clock.Set(midnight.Add(24*time.Hour + 20*time.Minute))
		_, err := s.keeper(a).Daily(t.Context())
		require.NoError(t, err)
	}
	for _, monday := range []int{16, 23} {
		s.clock.Set(time.Date(2026, 11, monday, 0, 30, 0, 0, time.UTC))
		_, err := s.keeper(a).Weekly(t.Context(), s.clock.Now())
		require.NoError(t, err)
	}
	return s, a
}

// leaveRedis moves the clock to when the boards of November have expired, and
// takes them away.
func (s *stack) leaveRedis() {
	keys, err := s.redis.Server.Redis().Do(s.Context(), "KEYS", "*")
	require.NoError(s, err)
	for _, key := range keys.([]any) {
		if name := key.(string); strings.Contains(name, ":2026-") {
			_, err := s.redis.Server.Redis().Do(s.Context(), "DEL", name)
			require.NoError(s, err)
		}
	}
	s.clock.Set(time.Date(2027, 7, 1, 12, 0, 0, 0, time.UTC))
	s.handler = s.process()
}

// historyQueries name the periods and scopes that were played, and some that were not.
func historyQueries(mode string) []string {
	queries := []string{"date=2026-11-16", "date=2026-11-17", "date=2026-11-14", "period=week&date=2026-11-18", "period=week&date=2026-11-12"}
	if mode == "daily" || mode == "longest" {
		queries = append(queries, "date=2026-11-17&scope=country:BR", "period=week&date=2026-11-18&scope=country:PT", "date=2026-11-17&scope=country:JP")
	}
	return queries
}

func historyCalls() (calls []call) {
	for _, mode := range historyModes {
		base := "/v1/leaderboards/" + mode
		for _, query := range historyQueries(mode) {
			for _, page := range []string{"", "&limit=3", "&limit=3&offset=2", "&limit=2&offset=6", "&offset=50"} {
				calls = append(calls, get(base+"?"+query+page))
			}
			for _, player := range []string{"user_0", "user_3", "user_7", "nobody"} {
				calls = append(calls, get(base+"/players/"+player+"?"+query),
					get(base+"/around/"+player+"?range=1&"+query), get(base+"/around/"+player+"?"+query))
			}
			calls = append(calls, post(base+"/lookup?"+query, `{"players":["user_7","nobody","user_2","user_5"]}`))
		}
	}
	return calls
}

// told is an answer without the moment it was read, and the request's own id.
func told(a answer) string {
	text := string(a.body)
	for _, name := range []string{`"updated_at":"`, `"instance":"`} {
		if before, after, ok := strings.Cut(text, name); ok {
			_, after, _ = strings.Cut(after, `"`)
			text = before + after
		}
	}
	return fmt.Sprintf("%d %s", a.status, text)
}

// What Redis said of a closed period, history says too, to the letter.
func TestHistoryAnswersAsRedisDid(t *testing.T) {
	s, _ := playHistory(t)
	s.clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	s.handler = s.process() // what the one before remembers of pages is a week old
	var before []answer
	for _, c := range historyCalls() {
		before = append(before, s.do(c))
	}
	s.leaveRedis()
	entries := 0
	for i, c := range historyCalls() {
		commands, _ := s.spent(func() {
			a := s.do(c)
			require.Equal(t, told(before[i]), told(a), "%s %s", c.method, c.target)
			require.Equal(t, before[i].header.Get("ETag"), a.header.Get("ETag"), "it is still the same to caches")
			entries += strings.Count(string(a.body), `"rank"`)
		})
		require.LessOrEqual(t, commands, int64(1), "names are all that is asked of Redis")
	}
	require.Greater(t, entries, 500)
}

func TestAMonthIsReadFromHistory(t *testing.T) {
	s, _ := playHistory(t)
	s.clock.Set(time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC))
	const target = "/v1/leaderboards/daily?period=month&date=2026-11-01"
	before := s.want(http.StatusOK, get(target))
	s.leaveRedis()
	a := s.want(http.StatusOK, get(target))
	require.Equal(t, told(before), told(a))
	var page pageBody
	a.into(t, &page)
	require.Len(t, page.Entries, 8)
	require.True(t, page.Closed)
	require.Contains(t, a.header.Get("Cache-Control"), "s-maxage=3")
}

// Cards of the past have the rank of the period before, which Redis could no longer give on
// the last day of its board.
func TestACardOfHistoryKnowsThePeriodBefore(t *testing.T) {
	s, _ := playHistory(t)
	s.leaveRedis()
	for query, known := range map[string]bool{
		"date=2026-11-13": true, "date=2026-11-16": false, "date=2026-11-17": true, "period=week&date=2026-11-18": true,
	} {
		var card struct {
			Rank         int64
			PreviousRank *int64 `json:"previous_rank"`
			RankChange   *int64 `json:"rank_change"`
		}
		a := s.want(http.StatusOK, get("/v1/leaderboards/longest/players/user_4?"+query))
		require.NoError(t, jsonInto(a, &card))
		require.Equal(t, known, card.PreviousRank != nil, "%s: %s", query, a.body)
		if known {
			require.Equal(t, *card.PreviousRank-card.Rank, *card.RankChange)
		}
	}
}

func TestAWalkBegunInRedisGoesOnInHistory(t *testing.T) {
	s, _ := playHistory(t)
	s.clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	for _, target := range []string{
		"/v1/leaderboards/daily?limit=2&date=2026-11-17", "/v1/leaderboards/tied?limit=2&period=week&date=2026-11-17",
		"/v1/leaderboards/fastest?limit=2&period=week&date=2026-11-17",
	} {
		s := s.on(t)
		want := s.walk(target, func() {})
		require.Greater(t, len(want), 4)
		s.clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
		require.Equal(t, want, s.walk(target, func() { s.clock.Set(time.Date(2027, 7, 1, 12, 0, 0, 0, time.UTC)) }), target)
		require.Equal(t, want, s.walk(target, func() {}), target)

		cursor := s.page(target).NextCursor
		for _, other := range []string{"daily?date=2026-11-16", "longest?date=2026-11-17", "daily?period=week&date=2026-11-17&scope=country:BR"} {
			s.want(http.StatusBadRequest, get("/v1/leaderboards/"+other+"&cursor="+cursor)).problem(t, "invalid-request")
		}
		s.clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	}
}

func TestWithoutAHistoryAPageSaysSo(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	for target, says := range map[string]bool{
		"daily?date=" + longAgo: true, "daily?period=month&date=2026-01-01": true, "daily?date=0001-01-01": true,
		"daily": false, "daily?date=" + yesterday: false, "daily?period=month&date=" + longAgo: false, "daily?period=alltime": false, "xp": false,
		"daily?date=2030-01-01": false,
	} {
		a := s.want(http.StatusOK, get("/v1/leaderboards/"+target))
		require.Equal(t, says, strings.Contains(string(a.body), `"history":"unavailable"`), "%s: %s", target, a.body)
	}
	s.want(http.StatusNotFound, get(daily+"/players/user_a?date="+longAgo)).problem(t, "not-on-board")
}

// Without Postgres only expired boards are unavailable; all others are answered at the same
// cost, because nobody asks a history.
func TestWithoutPostgresBoardsInRedisAreAnswered(t *testing.T) {
	s := newStack(t)
	s.history = jobs.NewHistory(openArchive(t, "postgres://nobody@127.0.0.1:1/none"))
	s.handler = s.process()
	s.play("user_a", "daily", "700")
	for _, target := range []string{"?date=", "/players/user_a?date=", "/around/user_a?date="} {
		s.want(http.StatusServiceUnavailable, get(daily+target+longAgo)).problem(t, "temporarily-unavailable")
	}
	p := s.want(http.StatusServiceUnavailable, post(lookup+"?date="+longAgo, goodLookup)).problem(t, "temporarily-unavailable")
	require.Contains(t, p.Detail, "archive")

	s.history = untouched{}
	s.handler = s.process()
	s.clock.Set(noon.AddDate(0, 0, -1))
	s.play("user_b", "daily", "700")
	s.clock.Set(noon)
	for _, target := range []string{"", "?date=" + yesterday, "?period=week", "?period=month", "?period=alltime"} {
		s.want(http.StatusOK, get(daily+target))
	}
	s.want(http.StatusOK, get(card))
	s.want(http.StatusNotFound, get(card+"?date="+yesterday))
	s.want(http.StatusOK, get(around))
	s.want(http.StatusOK, post(lookup, goodLookup))
}

// untouched is a history that nobody may ask: it has no methods.
type untouched struct{ app.History }

// A cursor remains valid after the archive has deleted its entry.
func TestACursorOutlivesItsEntry(t *testing.T) {
	s, a := playHistory(t)
	s.leaveRedis()
	const target = "/v1/leaderboards/daily?date=2026-11-17"
	all := s.page(target).Entries
	first := s.page(target + "&limit=2")
	_, err := a.Results.Delete(t.Context(), "daily", game.NewDate(2026, 11, 17), all[1].Player, game.Act{ID: "a", Actor: "operator", At: noon})
	require.NoError(t, err)
	rest := s.page(target + "&limit=200&cursor=" + first.NextCursor)
	require.Equal(t, len(all)-1, int(rest.Total))
	for i, e := range rest.Entries {
		require.Equal(t, all[i+2].Player, e.Player)
		require.Equal(t, all[i+2].Rank-1, e.Rank)
	}
}
