package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// staleBody is what tells of an answer's age.
type staleBody struct {
	Stale     bool
	UpdatedAt string `json:"updated_at"`
	Total     int64
	Entries   []entryBody
	Rank      int64
}

func (s *stack) stale(c call) staleBody {
	s.Helper()
	a := s.want(http.StatusOK, c)
	var body staleBody
	require.NoError(s, json.Unmarshal(a.body, &body))
	require.True(s, body.Stale, "%s: %s", c.target, a.body)
	if cache := a.header.Get("Cache-Control"); strings.Contains(cache, "s-maxage") {
		require.Equal(s, "public, max-age=0, must-revalidate, s-maxage=5", cache)
	}
	return body
}

// onPlan is a stack whose Redis carries so many commands.
func onPlan(t *testing.T, commands int64) *stack {
	s := newStack(t)
	s.redis = testkit.OnPlan(t, upstashtest.Options{Plan: &upstashtest.Plan{MonthlyCommands: commands}}, testkit.AtOnce)
	s.handler = s.process()
	return s
}

// exhaust uses the plan's commands up.
func (s *stack) exhaust() {
	for {
		post, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.redis.Server.URL(), strings.NewReader(`["GET","k"]`))
		require.NoError(s, err)
		post.Header.Set("Authorization", "Bearer "+s.redis.Server.Token())
		answer, err := http.DefaultClient.Do(post)
		require.NoError(s, err)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return
		}
	}
}

// While Redis refuses, what was read before is answered as it was then, with its time.
// Anything else is 503, and so is every score.
func TestReadsComeFromMemoryWhileRedisRefuses(t *testing.T) {
	for name, refuse := range map[string]func(*stack){
		"the plan is used up": (*stack).exhaust,
		"it is stopped":       func(s *stack) { s.fail(redisDown) },
		"it is throttled":     func(s *stack) { s.fail(tooManyAtOnce) },
	} {
		t.Run(name, func(t *testing.T) {
			s := onPlan(t, 400)
			s.clock.Stop()
			s.elapsed = func() time.Duration { return s.clock.Now().Sub(noon) }
			s.handler = s.process()
			for i := range 9 {
				s.play("user_"+itoa(i), "daily", itoa(100*i))
			}
			cursor := s.page(daily + "?limit=3").NextCursor
			calls := []call{
				get(daily), get(daily + "?limit=2"), get(daily + "?limit=4&offset=3"), get(daily + "?limit=3&cursor=" + cursor),
				get(daily + "?period=week"), get(daily + "?period=alltime"), get("/v1/leaderboards/xp"),
				get(daily + "/players/user_3"), get(daily + "/players/user_3?period=week"), get(daily + "/around/user_3?period=week&range=1"), get(daily + "/around/user_3"),
			}
			fresh := make([]staleBody, len(calls))
			for i, c := range calls {
				require.NoError(t, json.Unmarshal(s.want(http.StatusOK, c).body, &fresh[i]))
				require.False(t, fresh[i].Stale)
			}
			read := s.clock.Now().UTC().Format(time.RFC3339)
			s.clock.Set(s.clock.Now().Add(3 * time.Hour))
			refuse(s)
			for i, c := range calls {
				body := s.stale(c)
				require.Equal(t, read, body.UpdatedAt, c.target)
				require.Equal(t, fresh[i].Entries, body.Entries, c.target)
				require.Equal(t, fresh[i].Rank, body.Rank, c.target)
				require.Equal(t, fresh[i].Total, body.Total, c.target)
			}
			for _, c := range []call{
				get(daily + "/players/user_4"), get(daily + "/players/user_3?period=month"), get(daily + "?offset=1"), get("/v1/leaderboards/longest"),
				s.as("user_x", post(scores, goodScore)), post(lookup, goodLookup),
			} {
				a := s.want(http.StatusServiceUnavailable, c)
				a.problem(t, "temporarily-unavailable")
				require.NotEmpty(t, a.header.Get("Retry-After"))
			}
			s.handler = s.process()
			s.want(http.StatusServiceUnavailable, get(daily+"?period=week"))
		})
	}
}

// Once Redis answers again, nothing is stale.
func TestNothingIsStaleAfterwards(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	s.want(http.StatusOK, get(card))
	s.fail(redisDown)
	s.stale(get(card))
	s.mendRedis()
	require.NotContains(t, string(s.want(http.StatusOK, get(card)).body), "stale")
	require.NotContains(t, string(s.want(http.StatusOK, get(daily)).body), "stale")
}

// What was taken out of a board is not shown again, not even while Redis refuses.
func TestWhatWasRemovedIsNotRecalled(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	s.play("user_z", "daily", "800")
	for _, target := range []string{daily, daily + "?offset=0&limit=7", daily + "/players/user_z", daily + "/around/user_a"} {
		s.want(http.StatusOK, get(target))
	}
	s.want(http.StatusOK, remove(opsScores, goodOf).bearer(opsToken))
	s.fail(redisDown)
	for _, target := range []string{daily, daily + "?limit=7", daily + "/players/user_z", daily + "/around/user_a"} {
		s.want(http.StatusServiceUnavailable, get(target))
	}
}

// What is not in memory comes from the history, with the time it was saved.
func TestReadsComeFromTheHistoryWhileRedisRefuses(t *testing.T) {
	for name, fault := range map[string]upstashtest.Fault{"out of quota": outOfQuota, "stopped": redisDown} {
		t.Run(name, func(t *testing.T) {
			s, _ := playHistory(t)
			s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)) // in a week that is open, with three days played
			week := get("/v1/leaderboards/longest?period=week&limit=3")
			before := s.page("/v1/leaderboards/longest?period=week&limit=3")
			s.handler = s.process()
			s.fail(fault)
			require.Equal(t, "2026-11-19T00:20:00Z", s.stale(week).UpdatedAt, "when the last day was saved")
			for i, e := range s.stale(week).Entries {
				require.Equal(t, before.Entries[i].Player, e.Player)
				require.Equal(t, before.Entries[i].Score, e.Score)
			}
			for _, target := range []string{
				"longest?period=week&limit=3", "longest?date=2026-11-17", "longest/players/user_3?period=week", "longest/around/user_3?date=2026-11-17", "longest?date=2026-11-12",
			} {
				body := s.stale(get("/v1/leaderboards/" + target))
				at, err := time.Parse(time.RFC3339, body.UpdatedAt)
				require.NoError(t, err)
				require.False(t, at.IsZero())
			}
			for _, target := range []string{"longest?period=alltime", "xp", "longest/players/nobody?period=week", "longest?date=2026-11-15"} {
				s.want(http.StatusServiceUnavailable, get("/v1/leaderboards/"+target)).problem(t, "temporarily-unavailable")
			}
		})
	}
}

func TestHealthNamesTheQuota(t *testing.T) {
	s := onPlan(t, 50)
	s.exhaust()
	a := s.want(http.StatusServiceUnavailable, get(opsHealth).bearer(opsToken))
	p := a.problem(t, "temporarily-unavailable")
	require.Contains(t, p.Detail, "Limit: 50")
	require.Contains(t, p.Detail, "2026-12-01T00:00:00Z")
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	require.NoError(t, err)
	require.Equal(t, 24*60*60, seconds)
}

// counted counts what is asked of a history.
type counted struct {
	app.History
	asked *int
}

func (c counted) Page(ctx context.Context, b game.Board, limit, offset int64, after *game.Place) (game.Page, error) {
	*c.asked++
	return c.History.Page(ctx, b, limit, offset, after)
}

// Redis has lost every board of the closed periods, and goes on: these boards are answered as
// before. For boards without players, the history is asked once in a while.
func TestLostBoardsAreAnsweredFromTheHistory(t *testing.T) {
	s, _ := playHistory(t)
	s.clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	s.handler = s.process() // what the one before remembers of pages is a week old
	var before []answer
	for _, c := range historyCalls() {
		before = append(before, s.do(c))
	}
	asked := 0
	s.history = counted{s.history, &asked}
	s.leaveRedis()
	s.clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	s.handler = s.process()
	for i, c := range historyCalls() {
		require.Equal(t, told(before[i]), told(s.do(c)), "%s %s", c.method, c.target)
	}
	asked = 0
	for range 3 {
		s.want(http.StatusOK, get("/v1/leaderboards/daily?date=2026-11-17&scope=country:JP"))
		s.want(http.StatusNotFound, get("/v1/leaderboards/daily/players/user_1?date=2026-11-14"))
	}
	require.Zero(t, asked, "it is remembered that nobody was on them")
	s.clock.Set(s.clock.Now().Add(11 * time.Minute))
	s.want(http.StatusOK, get("/v1/leaderboards/daily?date=2026-11-17&scope=country:JP"))
	require.Equal(t, 1, asked)

	// Without Postgres nobody can tell whether they were empty.
	s.history = historyAway{}
	s.handler = s.process()
	s.want(http.StatusServiceUnavailable, get("/v1/leaderboards/daily?date=2026-11-17")).problem(t, "temporarily-unavailable")
}

// historyAway cannot be reached.
type historyAway struct{ app.History }

func (historyAway) Page(context.Context, game.Board, int64, int64, *game.Place) (game.Page, error) {
	return game.Page{}, fmt.Errorf("test: %w", problem.ErrHistoryAway)
}
