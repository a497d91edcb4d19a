package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Ways for Redis to fail.
var (
	redisDown      = upstashtest.Fault{CutBefore: true}
	wrongToken     = upstashtest.Fault{Status: http.StatusUnauthorized, Body: `{"error":"WRONGPASS invalid or missing auth token"}`}
	refusedCommand = upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"ERR syntax error"}`}
	tooManyAtOnce  = upstashtest.Fault{Status: http.StatusTooManyRequests, Body: `{"error":"ERR max requests per second exceeded"}`}
	beingUpgraded  = upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"READONLY Writes are temporarily rejected due to server upgrade"}`}
	outOfQuota     = upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500001. See https://upstash.com/docs/redis/troubleshooting/max_requests_limit for details"}`}
)

// Requests that many of the tests begin with.
const (
	goodScore    = `{"mode":"daily","score":800}`
	goodFor      = `{"mode":"daily","player":"user_s","score":800}`
	goodBatch    = `{"scores":[{"mode":"daily","player":"user_x","score":800}]}`
	goodLookup   = `{"players":["user_a"]}`
	daily        = "/v1/leaderboards/daily"
	card         = daily + "/players/user_a"
	around       = daily + "/around/user_a"
	lookup       = daily + "/lookup"
	distribution = daily + "/distribution"
	liveDaily    = "/v1/live/daily"
	batch        = "/v1/scores/batch"
	scores       = "/v1/scores"
)

// scenario makes one status of one operation happen.
type scenario struct {
	call  func(s *stack) call
	fault upstashtest.Fault
	kind  string // of the problem
}

func plain(c call) func(*stack) call { return func(*stack) call { return c } }

func as(player string, c call) func(*stack) call {
	return func(s *stack) call { return s.as(player, c) }
}

// known makes a call with the entity tag of its own answer.
func known(c call) func(*stack) call {
	return func(s *stack) call { return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag")) }
}

// after makes a call so often that the limit is reached.
func after(n int, c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		made := c(s)
		for range n {
			s.send(made)
		}
		return c(s)
	}
}

// from makes reads from an address until they are too many, be they answered from
// memory.
func from(address string, c call) func(*stack) call { return after(400, plain(c.cameFrom(address))) }

// running makes a call whose first request has a key and is still under way.
func running(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		made := c(s).with("Idempotency-Key", "running")
		require.Less(s, s.send(made).status, 300)
		s.rewind(made)
		return made
	}
}

// reused makes a call whose key was used for another body.
func reused(c func(*stack) call, body string) func(*stack) call {
	return func(s *stack) call {
		made := c(s).with("Idempotency-Key", "reused")
		require.Less(s, s.send(made).status, 300)
		made.body = body
		return made
	}
}

func scenarios() map[string]scenario {
	large, huge := strings.Repeat(" ", 64<<10)+"{}", strings.Repeat(" ", 1<<20)+"{}"
	text := func(c call) call { return c.with("Content-Type", "text/plain") }
	const fresh = "?offset=1" // what no process holds in memory
	return map[string]scenario{
		"POST /v1/scores 200": {call: as("user_a", post(scores, goodScore))},
		"POST /v1/scores 201": {call: as("user_new", post(scores, goodScore))},
		"POST /v1/scores 400": {call: as("user_a", post(scores, `{`)), kind: "invalid-request"},
		"POST /v1/scores 401": {call: plain(post(scores, goodScore)), kind: "unauthenticated"},
		"POST /v1/scores 403": {call: as("user_a", post(scores, goodFor)), kind: "forbidden"},
		"POST /v1/scores 404": {call: as("user_a", post(scores, `{"mode":"nothing","score":1}`)), kind: "unknown-mode"},
		"POST /v1/scores 409": {call: running(as("user_running", post(scores, goodScore))), kind: "idempotency-key-in-use"},
		"POST /v1/scores 413": {call: as("user_a", post(scores, large)), kind: "too-large"},
		"POST /v1/scores 415": {call: as("user_a", text(post(scores, goodScore))), kind: "unsupported-media-type"},
		"POST /v1/scores 422": {call: as("user_a", post(scores, `{"mode":"daily","score":1001}`)), kind: "score-out-of-bounds"},
		"POST /v1/scores 429": {call: after(21, as("user_busy", post(scores, goodScore))), kind: "rate-limited"},
		"POST /v1/scores 500": {call: as("user_b", post(scores, goodScore)), fault: refusedCommand, kind: "internal"},
		"POST /v1/scores 503": {call: as("user_b", post(scores, goodScore)), fault: redisDown, kind: "temporarily-unavailable"},

		"POST /v1/scores/batch 200": {call: plain(post(batch, goodBatch).signed())},
		"POST /v1/scores/batch 400": {call: plain(post(batch, `{"scores":[]}`).signed()), kind: "invalid-request"},
		"POST /v1/scores/batch 401": {call: plain(post(batch, goodBatch)), kind: "unauthenticated"},
		"POST /v1/scores/batch 403": {call: as("user_a", post(batch, goodBatch)), kind: "forbidden"},
		"POST /v1/scores/batch 409": {call: running(plain(post(batch, goodBatch).signed())), kind: "idempotency-key-in-use"},
		"POST /v1/scores/batch 413": {call: plain(post(batch, huge).signed()), kind: "too-large"},
		"POST /v1/scores/batch 415": {call: plain(text(post(batch, goodBatch)).signed()), kind: "unsupported-media-type"},
		"POST /v1/scores/batch 422": {call: reused(plain(post(batch, goodBatch).signed()), goodBatch+" "), kind: "idempotency-key-reused"},
		"POST /v1/scores/batch 429": {call: after(100, plain(post(batch, goodBatch).signed())), kind: "rate-limited"},
		"POST /v1/scores/batch 500": {call: plain(post(batch, goodBatch).with("Framedle-Signature", panicHeader))},
		"POST /v1/scores/batch 503": {call: plain(post(batch, goodBatch).signed()), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode} 200": {call: plain(get(daily))},
		"GET /v1/leaderboards/{mode} 304": {call: known(get(daily))},
		"GET /v1/leaderboards/{mode} 400": {call: plain(get(daily + "?limit=201")), kind: "invalid-request"},
		"GET /v1/leaderboards/{mode} 404": {call: plain(get("/v1/leaderboards/nothing")), kind: "unknown-mode"},
		"GET /v1/leaderboards/{mode} 429": {call: from("192.0.2.1:1", get(daily)), kind: "rate-limited"},
		"GET /v1/leaderboards/{mode} 500": {call: plain(get(daily + fresh)), fault: refusedCommand, kind: "internal"},
		"GET /v1/leaderboards/{mode} 503": {call: plain(get(daily + fresh)), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode}/players/{player} 200": {call: plain(get(card))},
		"GET /v1/leaderboards/{mode}/players/{player} 304": {call: known(get(card))},
		"GET /v1/leaderboards/{mode}/players/{player} 400": {call: plain(get(daily + "/players/a%20b")), kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/players/{player} 401": {call: plain(get(daily + "/players/me")), kind: "unauthenticated"},
		"GET /v1/leaderboards/{mode}/players/{player} 404": {call: plain(get(daily + "/players/nobody")), kind: "not-on-board"},
		"GET /v1/leaderboards/{mode}/players/{player} 429": {call: from("192.0.2.2:1", get(card)), kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/players/{player} 500": {call: plain(get(card)), fault: refusedCommand, kind: "internal"},
		"GET /v1/leaderboards/{mode}/players/{player} 503": {call: plain(get(daily + "/players/user_c")), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode}/around/{player} 200": {call: plain(get(around))},
		"GET /v1/leaderboards/{mode}/around/{player} 304": {call: known(get(around))},
		"GET /v1/leaderboards/{mode}/around/{player} 400": {call: plain(get(around + "?range=51")), kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/around/{player} 401": {call: plain(get(daily + "/around/me")), kind: "unauthenticated"},
		"GET /v1/leaderboards/{mode}/around/{player} 404": {call: plain(get(daily + "/around/nobody")), kind: "not-on-board"},
		"GET /v1/leaderboards/{mode}/around/{player} 429": {call: from("192.0.2.3:1", get(around)), kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/around/{player} 500": {call: plain(get(around)), fault: refusedCommand, kind: "internal"},
		"GET /v1/leaderboards/{mode}/around/{player} 503": {call: plain(get(daily + "/around/user_c")), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode}/distribution 200": {call: plain(get(distribution))},
		"GET /v1/leaderboards/{mode}/distribution 304": {call: known(get(distribution))},
		"GET /v1/leaderboards/{mode}/distribution 400": {call: plain(get(distribution + "?buckets=51")), kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/distribution 404": {call: plain(get("/v1/leaderboards/nothing/distribution")), kind: "unknown-mode"},
		"GET /v1/leaderboards/{mode}/distribution 429": {call: from("192.0.2.3:1", get(distribution)), kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/distribution 500": {call: plain(get(distribution + "?buckets=8")), fault: refusedCommand, kind: "internal"},
		"GET /v1/leaderboards/{mode}/distribution 503": {call: plain(get(distribution + "?buckets=7")), fault: redisDown, kind: "temporarily-unavailable"},

		"POST /v1/leaderboards/{mode}/lookup 200": {call: plain(post(lookup, goodLookup))},
		"POST /v1/leaderboards/{mode}/lookup 400": {call: plain(post(lookup, `{"players":[]}`)), kind: "invalid-request"},
		"POST /v1/leaderboards/{mode}/lookup 404": {call: plain(post("/v1/leaderboards/nothing/lookup", goodLookup)), kind: "unknown-mode"},
		"POST /v1/leaderboards/{mode}/lookup 413": {call: plain(post(lookup, large)), kind: "too-large"},
		"POST /v1/leaderboards/{mode}/lookup 415": {call: plain(text(post(lookup, goodLookup))), kind: "unsupported-media-type"},
		"POST /v1/leaderboards/{mode}/lookup 429": {call: from("192.0.2.4:1", post(lookup, goodLookup)), kind: "rate-limited"},
		"POST /v1/leaderboards/{mode}/lookup 500": {call: plain(post(lookup, goodLookup)), fault: refusedCommand, kind: "internal"},
		"POST /v1/leaderboards/{mode}/lookup 503": {call: plain(post(lookup, goodLookup)), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/live/{mode} 200": {call: plain(get(liveDaily))},
		"GET /v1/live/{mode} 204": {call: plain(get(liveDaily+"?date="+yesterday).with("Last-Event-ID", "closed"))},
		"GET /v1/live/{mode} 400": {call: plain(get(liveDaily + "?limit=101")), kind: "invalid-request"},
		"GET /v1/live/{mode} 404": {call: plain(get("/v1/live/nothing")), kind: "unknown-mode"},
		"GET /v1/live/{mode} 429": {call: from("192.0.2.6:1", get(liveDaily)), kind: "rate-limited"},
		"GET /v1/live/{mode} 500": {call: plain(get(liveDaily + "?period=month")), fault: refusedCommand, kind: "internal"},
		"GET /v1/live/{mode} 503": {call: plain(get(liveDaily + "?date=" + yesterday)), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/game 200":      {call: plain(get("/v1/game"))},
		"GET /v1/game 304":      {call: known(get("/v1/game"))},
		"GET /v1/game 400":      {call: plain(get("/v1/game?x=1")), kind: "invalid-request"},
		"GET /v1/game 429":      {call: from("192.0.2.5:1", get("/v1/game")), kind: "rate-limited"},
		"GET /openapi.yaml 200": {call: plain(get("/openapi.yaml"))},
		"GET /openapi.yaml 304": {call: plain(get("/openapi.yaml").with("If-None-Match", "*"))},
		"GET /openapi.yaml 429": {call: from("192.0.2.5:1", get("/openapi.yaml")), kind: "rate-limited"},
	}
}

func TestEveryDocumentedStatusHappens(t *testing.T) {
	s := newLimitedStack(t)
	s.game += typedMode + "races: {}\n"
	s.handler = s.process()
	s.befriend()
	s.play("user_a", "daily", "700")
	s.play("user_c", "daily", "600")
	var documented []string
	for pattern, operation := range s.contract.operations() {
		for status := range operation.Responses.Map() {
			documented = append(documented, pattern+" "+status)
		}
	}
	all := scenarios()
	maps.Copy(all, removalScenarios())
	maps.Copy(all, friendsScenarios())
	maps.Copy(all, duelScenarios())
	maps.Copy(all, raceScenarios())
	maps.Copy(all, meScenarios())
	maps.Copy(all, deviceScenarios())
	maps.Copy(all, eventScenarios())
	maps.Copy(all, peopleScenarios())
	maps.Copy(all, walletScenarios())
	maps.Copy(all, worldScenarios())
	maps.Copy(all, feedScenarios())
	maps.Copy(all, auditScenarios())
	maps.Copy(all, badgeScenarios())
	maps.Copy(all, leagueScenarios())
	maps.Copy(all, playScenarios())
	maps.Copy(all, graphScenarios())
	documented = slices.DeleteFunc(documented, func(d string) bool {
		return d == "POST /v1/scores 202" || // in queue mode: enqueue_test.go
			strings.HasPrefix(d, "GET /v1/live/") && (strings.HasSuffix(d, " 307") || strings.HasSuffix(d, " 501")) // on Lambda: live_test.go
	})
	require.ElementsMatch(t, documented, slices.Collect(maps.Keys(all)))
	for name, sc := range all {
		t.Run(name, func(t *testing.T) {
			s := s.on(t)
			c := sc.call(s)
			s.fail(sc.fault)
			defer s.mendRedis()
			a := s.do(c)
			require.Equal(t, name[len(name)-3:], strconv.Itoa(a.status), "%s", a.body)
			if sc.kind != "" {
				a.problem(t, sc.kind)
			}
			if name == "PUT /v1/ops/maintenance 200" {
				s.want(http.StatusOK, remove(opsMaintenance, "").bearer(opsToken))
			}
			if a.status == http.StatusTooManyRequests {
				s.clock.Set(s.clock.Now().Add(2 * time.Minute)) // let the callers of others in again
			}
		})
	}
}
