package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

const (
	opsErase  = "/v1/ops/players/user_z"
	opsHealth = "/v1/ops/health"
	opsStatus = "/v1/ops/status"

	goodOf = `{"mode":"daily","date":"2026-11-18","player":"user_z"}`
)

// removalScenarios make every status of the operations that take things out.
func removalScenarios() map[string]apitest.Scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	all := map[string]apitest.Scenario{
		"PUT /v1/ops/bans/{player} 413": {Call: apitest.Operator(apitest.Put(apitest.OpsBan, large)), Kind: "too-large"},
		"PUT /v1/ops/bans/{player} 415": {Call: apitest.Operator(apitest.Put(apitest.OpsBan, `{}`).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"DELETE /v1/ops/scores 404":     {Call: apitest.Operator(apitest.Remove(apitest.OpsScores, `{"mode":"nothing","date":"2026-11-18","player":"user_z"}`)), Kind: "unknown-mode"},
		"DELETE /v1/ops/scores 413":     {Call: apitest.Operator(apitest.Remove(apitest.OpsScores, large)), Kind: "too-large"},
		"DELETE /v1/ops/scores 415":     {Call: apitest.Operator(apitest.Remove(apitest.OpsScores, goodOf).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"PUT /v1/ops/maintenance 413":   {Call: apitest.Operator(apitest.Put(apitest.OpsMaintenance, large)), Kind: "too-large"},
		"PUT /v1/ops/maintenance 415":   {Call: apitest.Operator(apitest.Put(apitest.OpsMaintenance, `{}`).With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"DELETE /v1/ops/scores 422":     {Call: rolledUpScore, Kind: "not-removable"},
		"DELETE /v1/me 200":             {Call: apitest.As("user_z", apitest.Remove("/v1/me", ""))},
		"DELETE /v1/me 400":             {Call: apitest.As("user_z", apitest.Remove("/v1/me?sure=yes", "")), Kind: "invalid-request"},
		"DELETE /v1/me 401":             {Call: apitest.Plain(apitest.Remove("/v1/me", "")), Kind: "unauthenticated"},
		"DELETE /v1/me 429":             {Call: apitest.From("192.0.2.23:1", apitest.Remove("/v1/me", "")), Kind: "rate-limited"},
		"DELETE /v1/me 500":             {Call: apitest.As("user_z", apitest.Remove("/v1/me", "")), Fault: apitest.RefusedCommand, Kind: "internal"},
		"DELETE /v1/me 503":             {Call: apitest.As("user_z", apitest.Remove("/v1/me", "")), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
	for pattern, calls := range map[string]struct{ good, bad apitest.Call }{
		"PUT /v1/ops/bans/{player}":       {apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`), apitest.Put(apitest.OpsBan, `{"why":"x"}`)},
		"DELETE /v1/ops/bans/{player}":    {apitest.Remove(apitest.OpsBan, ""), apitest.Remove("/v1/ops/bans/a%20b", "")},
		"DELETE /v1/ops/players/{player}": {apitest.Remove(opsErase, ""), apitest.Remove("/v1/ops/players/a%20b", "")},
		"DELETE /v1/ops/scores":           {apitest.Remove(apitest.OpsScores, goodOf), apitest.Remove(apitest.OpsScores, `{"mode":"daily","date":"2026-02-30","player":"user_z"}`)},
		"GET /v1/ops/health":              {apitest.Get(opsHealth), apitest.Get(opsHealth + "?deep=yes")},
		"GET /v1/ops/usage":               {apitest.Get(apitest.OpsUsage), apitest.Get(apitest.OpsUsage + "?days=91")},
		"GET /v1/ops/status":              {apitest.Get(opsStatus), apitest.Get(opsStatus + "?deep=yes")},
		"GET /v1/ops/maintenance":         {apitest.Get(apitest.OpsMaintenance), apitest.Get(apitest.OpsMaintenance + "?deep=yes")},
		"PUT /v1/ops/maintenance":         {apitest.Put(apitest.OpsMaintenance, briefly), apitest.Put(apitest.OpsMaintenance, `{"until":"tomorrow"}`)},
		"DELETE /v1/ops/maintenance":      {apitest.Remove(apitest.OpsMaintenance, ""), apitest.Remove(apitest.OpsMaintenance+"?sure=yes", "")},
	} {
		all[pattern+" 200"] = apitest.Scenario{Call: apitest.Operator(calls.good)}
		all[pattern+" 400"] = apitest.Scenario{Call: apitest.Operator(calls.bad), Kind: "invalid-request"}
		all[pattern+" 401"] = apitest.Scenario{Call: apitest.Plain(calls.good), Kind: "unauthenticated"}
		all[pattern+" 429"] = apitest.Scenario{Call: apitest.After(5, apitest.Plain(calls.good.Bearer("guessed").CameFrom("192.0.2.24:1"))), Kind: "rate-limited"}
		all[pattern+" 403"] = apitest.Scenario{Call: apitest.As("user_z", calls.good), Kind: "forbidden"}
		all[pattern+" 500"] = apitest.Scenario{Call: apitest.Operator(calls.good), Fault: apitest.RefusedCommand, Kind: "internal"}
		all[pattern+" 503"] = apitest.Scenario{Call: apitest.Operator(calls.good), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"}
	}
	return all
}

// foldedScore asks for a score that stands in all time alone.
func rolledUpScore(s *apitest.Stack) apitest.Call {
	_, err := s.Redis.Server.Redis().Do(s.Context(), "ZADD", game.RolledUpKey("lb:daily:alltime"), "5", "user_folded")
	require.NoError(s, err)
	return apitest.Remove(apitest.OpsScores, `{"mode":"daily","date":"`+apitest.LongAgo+`","player":"user_folded"}`).Bearer(apitest.OpsToken)
}

func TestAScoreIsTakenOffEveryBoardAtOnce(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	s.Play("user_b", "daily", "600")
	boards := []string{"", "?period=week", "?period=month", "?period=alltime"}
	for _, b := range boards {
		s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/user_a"+b))
	}
	s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/xp/players/user_a"))
	did := s.Removal(apitest.Remove(apitest.OpsScores, `{"mode":"daily","date":"`+apitest.Today+`","player":"user_a"}`))
	require.Equal(t, apitest.RemovalBody{Player: "user_a", Boards: 4, Left: []string{}}, did, "nothing is stored of a week that is small")
	for _, b := range boards {
		s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/players/user_a"+b))
		require.NotContains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.Daily+b)).Body), "user_a")
	}
	s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/xp/players/user_a"))
	require.Zero(t, s.Removal(apitest.Remove(apitest.OpsScores, `{"mode":"daily","date":"`+apitest.Today+`","player":"user_a"}`)).Boards)
	s.Play("user_a", "daily", "500")
}

func TestABannedPlayerMayNotPlay(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/user_a"))
	elsewhere := s.Process()
	s.Want(http.StatusCreated, s.As("user_c", apitest.Post(apitest.Scores, apitest.GoodScore)))
	require.Equal(t, 1, s.Removal(apitest.Put("/v1/ops/bans/user_a", `{"reason":"plays with a script"}`)).Boards)
	s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/players/user_a"))
	s.Want(http.StatusForbidden, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))).Problem(t, "banned")
	results := s.Want(http.StatusOK, apitest.Post(apitest.Batch, `{"scores":[{"mode":"daily","player":"user_a","score":1},{"mode":"daily","player":"user_d","score":1}]}`).Signed())
	require.Contains(t, string(results.Body), `#banned`)
	require.Contains(t, string(results.Body), `"player":"user_d"`)
	s.Handler = elsewhere
	s.Want(http.StatusForbidden, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))).Problem(t, "banned")
	s.Removal(apitest.Remove("/v1/ops/bans/user_a", ""))
	s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/players/user_a"))
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)))
}

func TestAPlayerErasesThemselvesAndBeginsAnew(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(s.TokenWith("user_a", map[string]any{"name": "Ana"})))
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"longest","score":9}`)))
	for _, mode := range []string{"daily", "longest", "xp"} {
		s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/"+mode+"/players/user_a"))
	}
	for range 2 {
		s.Want(http.StatusOK, s.As("user_a", apitest.Remove("/v1/me", "")))
		for _, mode := range []string{"daily", "longest", "xp"} {
			s.Want(http.StatusNotFound, apitest.Get("/v1/leaderboards/"+mode+"/players/user_a"))
		}
	}
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)))
	require.NotContains(t, string(s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/user_a")).Body), "Ana")
}

func TestOnlyTheTokensOwnerIsErased(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_b", "daily", "600")
	s.Want(http.StatusUnauthorized, apitest.Remove("/v1/me", "").Signed())
	s.Want(http.StatusUnauthorized, apitest.Remove("/v1/me", "").Bearer(apitest.OpsToken))
	s.Want(http.StatusForbidden, s.As("user_a", apitest.Remove("/v1/ops/players/user_b", "")))
	s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/user_b"))
}

// ledger is an archive that only notes what it is told.
type ledger struct {
	acts []string
	ids  map[string]bool
	gone bool
	mu   sync.Mutex
}

func (l *ledger) note(what string, act lifecycle.Act) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return game.ErrDatabaseAway
	}
	if !l.ids[act.ID] {
		l.ids[act.ID] = true
		l.acts = append(l.acts, what+" by "+act.Actor)
	}
	return nil
}

func (l *ledger) Past(context.Context, string) (*lifecycle.ArchivedPlayer, error) {
	return &lifecycle.ArchivedPlayer{}, nil
}

func (l *ledger) DeleteResult(_ context.Context, mode string, d game.Date, player string, act lifecycle.Act) (bool, error) {
	return true, l.note("delete "+mode+" "+d.String()+" "+player, act)
}

func (l *ledger) Erase(_ context.Context, player string, act lifecycle.Act) (int64, error) {
	return 3, l.note("erase "+player, act)
}

func (l *ledger) Ban(_ context.Context, player, reason string, act lifecycle.Act) error {
	return l.note("ban "+player+": "+reason, act)
}

func (l *ledger) Unban(_ context.Context, player string, act lifecycle.Act) error {
	return l.note("unban "+player, act)
}

func (l *ledger) Ping(context.Context) error {
	if l.gone {
		return game.ErrDatabaseAway
	}
	return nil
}

func TestEachActIsNoted(t *testing.T) {
	s := apitest.NewStack(t)
	l := &ledger{ids: map[string]bool{}}
	s.Archive = l
	s.Handler = s.Process()
	s.Removal(apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`))
	s.Removal(apitest.Remove(apitest.OpsBan, ""))
	require.Equal(t, 1, s.Removal(apitest.Remove(apitest.OpsScores, goodOf)).Results)
	require.Equal(t, 3, s.Removal(apitest.Remove(opsErase, "")).Results)
	s.Want(http.StatusOK, s.As("user_z", apitest.Remove("/v1/me", "")))
	require.Equal(t, []string{
		"ban user_z: plays with a script by operator", "unban user_z by operator", "delete daily 2026-11-18 user_z by operator",
		"erase user_z by operator", "erase user_z by user_z",
	}, l.acts)
	var health map[string]any
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(opsHealth).CameFrom("192.0.2.1:1").Bearer(apitest.OpsToken)).Body, &health))
	for _, other := range []string{"redis_milliseconds", "operator", "version", "revision"} {
		delete(health, other)
	}
	require.Equal(t, map[string]any{"redis": "ok", "database": "ok", "address": "192.0.2.1"}, health)
	l.gone = true
	s.Want(http.StatusServiceUnavailable, apitest.Remove(opsErase, "").Bearer(apitest.OpsToken)).Problem(t, "temporarily-unavailable")
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(opsHealth).CameFrom("192.0.2.1:1").Bearer(apitest.OpsToken)).Body, &health))
	for _, other := range []string{"redis_milliseconds", "operator", "version", "revision"} {
		delete(health, other)
	}
	require.Equal(t, map[string]any{"redis": "ok", "database": "unreachable", "address": "192.0.2.1"}, health)
}

func TestWithoutAnArchiveActsAreLogged(t *testing.T) {
	s := apitest.NewStack(t)
	s.Removal(apitest.Remove(apitest.OpsScores, goodOf))
	s.Want(http.StatusOK, s.As("user_z", apitest.Remove("/v1/me", "")))
	lines := strings.Split(strings.TrimSpace(s.Audit.String()), "\n")
	require.Len(t, lines, 2)
	var first map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &first))
	delete(first, slog.TimeKey)
	at, err := time.Parse(time.RFC3339Nano, first["at"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, apitest.Noon, at, time.Minute)
	require.NotEmpty(t, first["id"])
	delete(first, "at")
	delete(first, "id")
	require.Equal(t, map[string]any{
		"level": "INFO", "msg": "audit", "action": "delete_result", "actor": "operator", "player": "user_z",
		"mode": "daily", "date": apitest.Today, "boards": 0.0,
	}, first)
	require.NotContains(t, lines[1], "user_z", "the log does not keep whom it erased")
	var health map[string]any
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(opsHealth+"?keys=true").CameFrom("192.0.2.1:1").Bearer(apitest.OpsToken)).Body, &health))
	require.Greater(t, health["redis_milliseconds"], 0.0)
	require.GreaterOrEqual(t, health["keys"], 1.0)
	for _, other := range []string{"redis_milliseconds", "operator", "version", "revision"} {
		delete(health, other)
	}
	delete(health, "keys")
	require.Equal(t, map[string]any{"redis": "ok", "database": "none", "address": "192.0.2.1"}, health)
}
