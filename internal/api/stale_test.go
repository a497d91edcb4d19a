package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// onPlan is a stack whose Redis carries so many commands.
func onPlan(t *testing.T, commands int64) *apitest.Stack {
	s := apitest.NewStack(t)
	s.Redis = testkit.OnPlan(t, upstashtest.Options{Plan: &upstashtest.Plan{MonthlyCommands: commands}}, testkit.AtOnce)
	s.Handler = s.Process()
	return s
}

// While Redis refuses, what was read before is answered as it was then, with its time.
// Anything else is 503, and so is every score.
func TestReadsComeFromMemoryWhileRedisRefuses(t *testing.T) {
	for name, refuse := range map[string]func(*apitest.Stack){
		"the plan is used up": (*apitest.Stack).Exhaust,
		"it is stopped":       func(s *apitest.Stack) { s.FailRedis(apitest.RedisDown) },
		"it is throttled":     func(s *apitest.Stack) { s.FailRedis(tooManyAtOnce) },
	} {
		t.Run(name, func(t *testing.T) {
			s := onPlan(t, 400)
			s.Clock.Stop()
			s.Elapsed = func() time.Duration { return s.Clock.Now().Sub(apitest.Noon) }
			s.Handler = s.Process()
			for i := range 9 {
				s.Play("user_"+itoa(i), "daily", itoa(100*i))
			}
			cursor := s.Page(apitest.Daily + "?limit=3").NextCursor
			calls := []apitest.Call{
				apitest.Get(apitest.Daily), apitest.Get(apitest.Daily + "?limit=2"), apitest.Get(apitest.Daily + "?limit=4&offset=3"), apitest.Get(apitest.Daily + "?limit=3&cursor=" + cursor),
				apitest.Get(apitest.Daily + "?period=week"), apitest.Get(apitest.Daily + "?period=alltime"), apitest.Get("/v1/leaderboards/xp"),
				apitest.Get(apitest.Daily + "/players/user_3"), apitest.Get(apitest.Daily + "/players/user_3?period=week"), apitest.Get(apitest.Daily + "/around/user_3?period=week&range=1"), apitest.Get(apitest.Daily + "/around/user_3"),
			}
			fresh := make([]apitest.StaleBody, len(calls))
			for i, c := range calls {
				require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, c).Body, &fresh[i]))
				require.False(t, fresh[i].Stale)
			}
			read := s.Clock.Now().UTC().Format(time.RFC3339)
			s.Clock.Set(s.Clock.Now().Add(3 * time.Hour))
			refuse(s)
			for i, c := range calls {
				body := s.Stale(c)
				require.Equal(t, read, body.UpdatedAt, c.Target)
				require.Equal(t, fresh[i].Entries, body.Entries, c.Target)
				require.Equal(t, fresh[i].Rank, body.Rank, c.Target)
				require.Equal(t, fresh[i].Total, body.Total, c.Target)
			}
			for _, c := range []apitest.Call{
				apitest.Get(apitest.Daily + "/players/user_4"), apitest.Get(apitest.Daily + "/players/user_3?period=month"), apitest.Get(apitest.Daily + "?offset=1"), apitest.Get("/v1/leaderboards/longest"),
				s.As("user_x", apitest.Post(apitest.Scores, apitest.GoodScore)), apitest.Post(apitest.Lookup, goodLookup),
			} {
				a := s.Want(http.StatusServiceUnavailable, c)
				a.Problem(t, "temporarily-unavailable")
				require.NotEmpty(t, a.Header.Get("Retry-After"))
			}
			s.Handler = s.Process()
			s.Want(http.StatusServiceUnavailable, apitest.Get(apitest.Daily+"?period=week"))
		})
	}
}

// Once Redis answers again, nothing is stale.
func TestNothingIsStaleAfterwards(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	s.Want(http.StatusOK, apitest.Get(apitest.Card))
	s.FailRedis(apitest.RedisDown)
	s.Stale(apitest.Get(apitest.Card))
	s.MendRedis()
	require.NotContains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.Card)).Body), "stale")
	require.NotContains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.Daily)).Body), "stale")
}

// What was taken out of a board is not shown again, not even while Redis refuses.
func TestWhatWasRemovedIsNotRecalled(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	s.Play("user_z", "daily", "800")
	for _, target := range []string{apitest.Daily, apitest.Daily + "?offset=0&limit=7", apitest.Daily + "/players/user_z", apitest.Daily + "/around/user_a"} {
		s.Want(http.StatusOK, apitest.Get(target))
	}
	s.Want(http.StatusOK, apitest.Remove(apitest.OpsScores, goodOf).Bearer(apitest.OpsToken))
	s.FailRedis(apitest.RedisDown)
	for _, target := range []string{apitest.Daily, apitest.Daily + "?limit=7", apitest.Daily + "/players/user_z", apitest.Daily + "/around/user_a"} {
		s.Want(http.StatusServiceUnavailable, apitest.Get(target))
	}
}

// What is not in memory comes from the history, with the time it was saved.
func TestReadsComeFromTheHistoryWhileRedisRefuses(t *testing.T) {
	for name, fault := range map[string]upstashtest.Fault{"out of quota": outOfQuota, "stopped": apitest.RedisDown} {
		t.Run(name, func(t *testing.T) {
			s, _ := playHistory(t)
			s.Clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)) // in a week that is open, with three days played
			week := apitest.Get("/v1/leaderboards/longest?period=week&limit=3")
			before := s.Page("/v1/leaderboards/longest?period=week&limit=3")
			s.Handler = s.Process()
			s.FailRedis(fault)
			require.Equal(t, "2026-11-19T00:20:00Z", s.Stale(week).UpdatedAt, "when the last day was saved")
			for i, e := range s.Stale(week).Entries {
				require.Equal(t, before.Entries[i].Player, e.Player)
				require.Equal(t, before.Entries[i].Score, e.Score)
			}
			for _, target := range []string{
				"longest?period=week&limit=3", "longest?date=2026-11-17", "longest/players/user_3?period=week", "longest/around/user_3?date=2026-11-17", "longest?date=2026-11-12",
			} {
				body := s.Stale(apitest.Get("/v1/leaderboards/" + target))
				at, err := time.Parse(time.RFC3339, body.UpdatedAt)
				require.NoError(t, err)
				require.False(t, at.IsZero())
			}
			for _, target := range []string{"longest?period=alltime", "xp", "longest/players/nobody?period=week", "longest?date=2026-11-15"} {
				s.Want(http.StatusServiceUnavailable, apitest.Get("/v1/leaderboards/"+target)).Problem(t, "temporarily-unavailable")
			}
		})
	}
}

func TestHealthNamesTheQuota(t *testing.T) {
	s := onPlan(t, 50)
	s.Exhaust()
	a := s.Want(http.StatusServiceUnavailable, apitest.Get(opsHealth).Bearer(apitest.OpsToken))
	p := a.Problem(t, "temporarily-unavailable")
	require.Contains(t, p.Detail, "Limit: 50")
	require.Contains(t, p.Detail, "2026-12-01T00:00:00Z")
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
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
	s.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	s.Handler = s.Process() // what the one before remembers of pages is a week old
	var before []apitest.Answer
	for _, c := range historyCalls() {
		before = append(before, s.Do(c))
	}
	asked := 0
	s.History = counted{s.History, &asked}
	s.LeaveRedis()
	s.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	s.Handler = s.Process()
	for i, c := range historyCalls() {
		require.Equal(t, told(before[i]), told(s.Do(c)), "%s %s", c.Method, c.Target)
	}
	asked = 0
	for range 3 {
		s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/daily?date=2026-11-17&scope=country:JP"))
		s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/daily/players/user_1?date=2026-11-14"))
	}
	require.Zero(t, asked, "it is remembered that nobody was on them")
	s.Clock.Set(s.Clock.Now().Add(11 * time.Minute))
	s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/daily?date=2026-11-17&scope=country:JP"))
	require.Equal(t, 1, asked)

	// Without Postgres nobody can tell whether they were empty.
	s.History = historyAway{}
	s.Handler = s.Process()
	s.Want(http.StatusServiceUnavailable, apitest.Get("/v1/leaderboards/daily?date=2026-11-17")).Problem(t, "temporarily-unavailable")
}

// historyAway cannot be reached.
type historyAway struct{ app.History }

func (historyAway) Page(context.Context, game.Board, int64, int64, *game.Place) (game.Page, error) {
	return game.Page{}, fmt.Errorf("test: %w", problem.ErrHistoryAway)
}
