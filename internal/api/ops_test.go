package api_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
)

const (
	opsScores = "/v1/ops/scores"
	opsBan    = "/v1/ops/bans/user_z"
	opsErase  = "/v1/ops/players/user_z"
	opsHealth = "/v1/ops/health"
	opsStatus = "/v1/ops/status"

	opsMaintenance = "/v1/ops/maintenance"
	opsUsage       = "/v1/ops/usage"
	opsDead        = "/v1/ops/dead-letters"
	opsRedrive     = "/v1/ops/dead-letters/redrive"
	goodOf         = `{"mode":"daily","date":"2026-11-18","player":"user_z"}`
)

func put(target, body string) call {
	return call{method: http.MethodPut, target: target, body: body, header: map[string]string{"Content-Type": "application/json"}}
}

func remove(target, body string) call {
	c := call{method: http.MethodDelete, target: target, body: body}
	if body != "" {
		c.header = map[string]string{"Content-Type": "application/json"}
	}
	return c
}

func operator(c call) func(*stack) call { return plain(c.bearer(opsToken)) }

// removalScenarios make every status of the operations that take things out.
func removalScenarios() map[string]scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	all := map[string]scenario{
		"PUT /v1/ops/bans/{player} 413": {call: operator(put(opsBan, large)), kind: "too-large"},
		"PUT /v1/ops/bans/{player} 415": {call: operator(put(opsBan, `{}`).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"DELETE /v1/ops/scores 404":     {call: operator(remove(opsScores, `{"mode":"nothing","date":"2026-11-18","player":"user_z"}`)), kind: "unknown-mode"},
		"DELETE /v1/ops/scores 413":     {call: operator(remove(opsScores, large)), kind: "too-large"},
		"DELETE /v1/ops/scores 415":     {call: operator(remove(opsScores, goodOf).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"PUT /v1/ops/maintenance 413":   {call: operator(put(opsMaintenance, large)), kind: "too-large"},
		"PUT /v1/ops/maintenance 415":   {call: operator(put(opsMaintenance, `{}`).with("Content-Type", "text/plain")), kind: "unsupported-media-type"},
		"DELETE /v1/ops/scores 422":     {call: rolledUpScore, kind: "not-removable"},
		"DELETE /v1/me 200":             {call: as("user_z", remove("/v1/me", ""))},
		"DELETE /v1/me 400":             {call: as("user_z", remove("/v1/me?sure=yes", "")), kind: "invalid-request"},
		"DELETE /v1/me 401":             {call: plain(remove("/v1/me", "")), kind: "unauthenticated"},
		"DELETE /v1/me 429":             {call: from("192.0.2.23:1", remove("/v1/me", "")), kind: "rate-limited"},
		"DELETE /v1/me 500":             {call: as("user_z", remove("/v1/me", "")), fault: refusedCommand, kind: "internal"},
		"DELETE /v1/me 503":             {call: as("user_z", remove("/v1/me", "")), fault: redisDown, kind: "temporarily-unavailable"},
	}
	maps.Copy(all, deadLetterScenarios())
	for pattern, calls := range map[string]struct{ good, bad call }{
		"PUT /v1/ops/bans/{player}":       {put(opsBan, `{"reason":"plays with a script"}`), put(opsBan, `{"why":"x"}`)},
		"DELETE /v1/ops/bans/{player}":    {remove(opsBan, ""), remove("/v1/ops/bans/a%20b", "")},
		"DELETE /v1/ops/players/{player}": {remove(opsErase, ""), remove("/v1/ops/players/a%20b", "")},
		"DELETE /v1/ops/scores":           {remove(opsScores, goodOf), remove(opsScores, `{"mode":"daily","date":"2026-02-30","player":"user_z"}`)},
		"GET /v1/ops/health":              {get(opsHealth), get(opsHealth + "?deep=yes")},
		"GET /v1/ops/usage":               {get(opsUsage), get(opsUsage + "?days=91")},
		"GET /v1/ops/status":              {get(opsStatus), get(opsStatus + "?deep=yes")},
		"GET /v1/ops/maintenance":         {get(opsMaintenance), get(opsMaintenance + "?deep=yes")},
		"PUT /v1/ops/maintenance":         {put(opsMaintenance, briefly), put(opsMaintenance, `{"until":"tomorrow"}`)},
		"DELETE /v1/ops/maintenance":      {remove(opsMaintenance, ""), remove(opsMaintenance+"?sure=yes", "")},
	} {
		all[pattern+" 200"] = scenario{call: operator(calls.good)}
		all[pattern+" 400"] = scenario{call: operator(calls.bad), kind: "invalid-request"}
		all[pattern+" 401"] = scenario{call: plain(calls.good), kind: "unauthenticated"}
		all[pattern+" 429"] = scenario{call: after(5, plain(calls.good.bearer("guessed").cameFrom("192.0.2.24:1"))), kind: "rate-limited"}
		all[pattern+" 403"] = scenario{call: as("user_z", calls.good), kind: "forbidden"}
		all[pattern+" 500"] = scenario{call: operator(calls.good), fault: refusedCommand, kind: "internal"}
		all[pattern+" 503"] = scenario{call: operator(calls.good), fault: redisDown, kind: "temporarily-unavailable"}
	}
	return all
}

// foldedScore asks for a score that stands in all time alone.
func rolledUpScore(s *stack) call {
	_, err := s.redis.Server.Redis().Do(s.Context(), "ZADD", game.RolledUpKey("lb:daily:alltime"), "5", "user_folded")
	require.NoError(s, err)
	return remove(opsScores, `{"mode":"daily","date":"`+longAgo+`","player":"user_folded"}`).bearer(opsToken)
}

type removalBody struct {
	Player  string
	Boards  int
	Results int
	Left    []string
}

func (s *stack) removal(c call) (did removalBody) {
	require.NoError(s, json.Unmarshal(s.want(http.StatusOK, c.bearer(opsToken)).body, &did))
	return did
}

func TestAScoreIsTakenOffEveryBoardAtOnce(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	s.play("user_b", "daily", "600")
	boards := []string{"", "?period=week", "?period=month", "?period=alltime"}
	for _, b := range boards {
		s.want(http.StatusOK, get(daily+"/players/user_a"+b))
	}
	s.want(http.StatusOK, get("/v1/leaderboards/xp/players/user_a"))
	did := s.removal(remove(opsScores, `{"mode":"daily","date":"`+today+`","player":"user_a"}`))
	require.Equal(t, removalBody{Player: "user_a", Boards: 4, Left: []string{}}, did, "nothing is stored of a week that is small")
	for _, b := range boards {
		s.want(http.StatusNotFound, get(daily+"/players/user_a"+b))
		require.NotContains(t, string(s.want(http.StatusOK, get(daily+b)).body), "user_a")
	}
	s.want(http.StatusNotFound, get("/v1/leaderboards/xp/players/user_a"))
	require.Zero(t, s.removal(remove(opsScores, `{"mode":"daily","date":"`+today+`","player":"user_a"}`)).Boards)
	s.play("user_a", "daily", "500")
}

func TestABannedPlayerMayNotPlay(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	s.want(http.StatusOK, get(daily+"/players/user_a"))
	elsewhere := s.process()
	s.want(http.StatusCreated, s.as("user_c", post(scores, goodScore)))
	require.Equal(t, 1, s.removal(put("/v1/ops/bans/user_a", `{"reason":"plays with a script"}`)).Boards)
	s.want(http.StatusNotFound, get(daily+"/players/user_a"))
	s.want(http.StatusForbidden, s.as("user_a", post(scores, goodScore))).problem(t, "banned")
	results := s.want(http.StatusOK, post(batch, `{"scores":[{"mode":"daily","player":"user_a","score":1},{"mode":"daily","player":"user_d","score":1}]}`).signed())
	require.Contains(t, string(results.body), `#banned`)
	require.Contains(t, string(results.body), `"player":"user_d"`)
	s.handler = elsewhere
	s.want(http.StatusForbidden, s.as("user_a", post(scores, goodScore))).problem(t, "banned")
	s.removal(remove("/v1/ops/bans/user_a", ""))
	s.want(http.StatusNotFound, get(daily+"/players/user_a"))
	s.want(http.StatusCreated, s.as("user_a", post(scores, goodScore)))
}

func TestAPlayerErasesThemselvesAndBeginsAnew(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusCreated, post(scores, goodScore).bearer(s.tokenWith("user_a", map[string]any{"name": "Ana"})))
	s.want(http.StatusCreated, s.as("user_a", post(scores, `{"mode":"longest","score":9}`)))
	for _, mode := range []string{"daily", "longest", "xp"} {
		s.want(http.StatusOK, get("/v1/leaderboards/"+mode+"/players/user_a"))
	}
	for range 2 {
		s.want(http.StatusOK, s.as("user_a", remove("/v1/me", "")))
		for _, mode := range []string{"daily", "longest", "xp"} {
			s.want(http.StatusNotFound, get("/v1/leaderboards/"+mode+"/players/user_a"))
		}
	}
	s.want(http.StatusCreated, s.as("user_a", post(scores, goodScore)))
	require.NotContains(t, string(s.want(http.StatusOK, get(daily+"/players/user_a")).body), "Ana")
}

func TestOnlyTheTokensOwnerIsErased(t *testing.T) {
	s := newStack(t)
	s.play("user_b", "daily", "600")
	s.want(http.StatusUnauthorized, remove("/v1/me", "").signed())
	s.want(http.StatusUnauthorized, remove("/v1/me", "").bearer(opsToken))
	s.want(http.StatusForbidden, s.as("user_a", remove("/v1/ops/players/user_b", "")))
	s.want(http.StatusOK, get(daily+"/players/user_b"))
}

// ledger is an archive that only notes what it is told.
type ledger struct {
	acts []string
	ids  map[string]bool
	gone bool
}

func (l *ledger) note(what string, act recompute.Act) error {
	if l.gone {
		return game.ErrDatabaseAway
	}
	if !l.ids[act.ID] {
		l.ids[act.ID] = true
		l.acts = append(l.acts, what+" by "+act.Actor)
	}
	return nil
}

func (l *ledger) Past(context.Context, string) (*recompute.Past, error) {
	return &recompute.Past{}, nil
}

func (l *ledger) DeleteResult(_ context.Context, mode string, d game.Date, player string, act recompute.Act) (bool, error) {
	return true, l.note("delete "+mode+" "+d.String()+" "+player, act)
}

func (l *ledger) Erase(_ context.Context, player string, act recompute.Act) (int64, error) {
	return 3, l.note("erase "+player, act)
}

func (l *ledger) Ban(_ context.Context, player, reason string, act recompute.Act) error {
	return l.note("ban "+player+": "+reason, act)
}

func (l *ledger) Unban(_ context.Context, player string, act recompute.Act) error {
	return l.note("unban "+player, act)
}

func (l *ledger) Ping(context.Context) error {
	if l.gone {
		return game.ErrDatabaseAway
	}
	return nil
}

func TestEachActIsNoted(t *testing.T) {
	s := newStack(t)
	l := &ledger{ids: map[string]bool{}}
	s.archive = l
	s.handler = s.process()
	s.removal(put(opsBan, `{"reason":"plays with a script"}`))
	s.removal(remove(opsBan, ""))
	require.Equal(t, 1, s.removal(remove(opsScores, goodOf)).Results)
	require.Equal(t, 3, s.removal(remove(opsErase, "")).Results)
	s.want(http.StatusOK, s.as("user_z", remove("/v1/me", "")))
	require.Equal(t, []string{
		"ban user_z: plays with a script by operator", "unban user_z by operator", "delete daily 2026-11-18 user_z by operator",
		"erase user_z by operator", "erase user_z by user_z",
	}, l.acts)
	var health map[string]any
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(opsHealth).cameFrom("192.0.2.1:1").bearer(opsToken)).body, &health))
	delete(health, "redis_milliseconds")
	require.Equal(t, map[string]any{"redis": "ok", "database": "ok", "address": "192.0.2.1"}, health)
	l.gone = true
	s.want(http.StatusServiceUnavailable, remove(opsErase, "").bearer(opsToken)).problem(t, "temporarily-unavailable")
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(opsHealth).cameFrom("192.0.2.1:1").bearer(opsToken)).body, &health))
	delete(health, "redis_milliseconds")
	require.Equal(t, map[string]any{"redis": "ok", "database": "unreachable", "address": "192.0.2.1"}, health)
}

func TestWithoutAnArchiveActsAreLogged(t *testing.T) {
	s := newStack(t)
	s.removal(remove(opsScores, goodOf))
	s.want(http.StatusOK, s.as("user_z", remove("/v1/me", "")))
	lines := strings.Split(strings.TrimSpace(s.audit.String()), "\n")
	require.Len(t, lines, 2)
	var first map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &first))
	delete(first, slog.TimeKey)
	at, err := time.Parse(time.RFC3339Nano, first["at"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, noon, at, time.Minute)
	require.NotEmpty(t, first["id"])
	delete(first, "at")
	delete(first, "id")
	require.Equal(t, map[string]any{
		"level": "INFO", "msg": "audit", "action": "delete_result", "actor": "operator", "player": "user_z",
		"mode": "daily", "date": today, "boards": 0.0,
	}, first)
	require.NotContains(t, lines[1], "user_z", "the log does not keep whom it erased")
	var health map[string]any
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get(opsHealth+"?keys=true").cameFrom("192.0.2.1:1").bearer(opsToken)).body, &health))
	require.Greater(t, health["redis_milliseconds"], 0.0)
	require.GreaterOrEqual(t, health["keys"], 1.0)
	delete(health, "redis_milliseconds")
	delete(health, "keys")
	require.Equal(t, map[string]any{"redis": "ok", "database": "none", "address": "192.0.2.1"}, health)
}
