package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Ways for Redis to fail.
var (
	wrongToken = upstashtest.Fault{Status: http.StatusUnauthorized, Body: `{"error":"WRONGPASS invalid or missing auth token"}`}

	tooManyAtOnce = upstashtest.Fault{Status: http.StatusTooManyRequests, Body: `{"error":"ERR max requests per second exceeded"}`}
	beingUpgraded = upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"READONLY Writes are temporarily rejected due to server upgrade"}`}
	outOfQuota    = upstashtest.Fault{Status: http.StatusBadRequest, Body: `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500001. See https://upstash.com/docs/redis/troubleshooting/max_requests_limit for details"}`}
)

// Requests that many of the tests begin with.
const (
	goodFor    = `{"mode":"daily","player":"user_s","score":800}`
	goodBatch  = `{"scores":[{"mode":"daily","player":"user_x","score":800}]}`
	goodLookup = `{"players":["user_a"]}`

	around = apitest.Daily + "/around/user_a"

	distribution = apitest.Daily + "/distribution"
)

func scenarios() map[string]apitest.Scenario {
	large, huge := strings.Repeat(" ", 64<<10)+"{}", strings.Repeat(" ", 1<<20)+"{}"
	text := func(c apitest.Call) apitest.Call { return c.With("Content-Type", "text/plain") }
	const fresh = "?offset=1" // what no process holds in memory
	return map[string]apitest.Scenario{
		"POST /v1/scores 200": {Call: apitest.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore))},
		"POST /v1/scores 201": {Call: apitest.As("user_new", apitest.Post(apitest.Scores, apitest.GoodScore))},
		"POST /v1/scores 400": {Call: apitest.As("user_a", apitest.Post(apitest.Scores, `{`)), Kind: "invalid-request"},
		"POST /v1/scores 401": {Call: apitest.Plain(apitest.Post(apitest.Scores, apitest.GoodScore)), Kind: "unauthenticated"},
		"POST /v1/scores 403": {Call: apitest.As("user_a", apitest.Post(apitest.Scores, goodFor)), Kind: "forbidden"},
		"POST /v1/scores 404": {Call: apitest.As("user_a", apitest.Post(apitest.Scores, `{"mode":"nothing","score":1}`)), Kind: "unknown-mode"},
		"POST /v1/scores 409": {Call: apitest.Running(apitest.As("user_running", apitest.Post(apitest.Scores, apitest.GoodScore))), Kind: "idempotency-key-in-use"},
		"POST /v1/scores 413": {Call: apitest.As("user_a", apitest.Post(apitest.Scores, large)), Kind: "too-large"},
		"POST /v1/scores 415": {Call: apitest.As("user_a", text(apitest.Post(apitest.Scores, apitest.GoodScore))), Kind: "unsupported-media-type"},
		"POST /v1/scores 422": {Call: apitest.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":1001}`)), Kind: "score-out-of-bounds"},
		"POST /v1/scores 429": {Call: apitest.After(21, apitest.As("user_busy", apitest.Post(apitest.Scores, apitest.GoodScore))), Kind: "rate-limited"},
		"POST /v1/scores 500": {Call: apitest.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"POST /v1/scores 503": {Call: apitest.As("user_b", apitest.Post(apitest.Scores, apitest.GoodScore)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"POST /v1/scores/batch 200": {Call: apitest.Plain(apitest.Post(apitest.Batch, goodBatch).Signed())},
		"POST /v1/scores/batch 400": {Call: apitest.Plain(apitest.Post(apitest.Batch, `{"scores":[]}`).Signed()), Kind: "invalid-request"},
		"POST /v1/scores/batch 401": {Call: apitest.Plain(apitest.Post(apitest.Batch, goodBatch)), Kind: "unauthenticated"},
		"POST /v1/scores/batch 403": {Call: apitest.As("user_a", apitest.Post(apitest.Batch, goodBatch)), Kind: "forbidden"},
		"POST /v1/scores/batch 409": {Call: apitest.Running(apitest.Plain(apitest.Post(apitest.Batch, goodBatch).Signed())), Kind: "idempotency-key-in-use"},
		"POST /v1/scores/batch 413": {Call: apitest.Plain(apitest.Post(apitest.Batch, huge).Signed()), Kind: "too-large"},
		"POST /v1/scores/batch 415": {Call: apitest.Plain(text(apitest.Post(apitest.Batch, goodBatch)).Signed()), Kind: "unsupported-media-type"},
		"POST /v1/scores/batch 422": {Call: apitest.Reused(apitest.Plain(apitest.Post(apitest.Batch, goodBatch).Signed()), goodBatch+" "), Kind: "idempotency-key-reused"},
		"POST /v1/scores/batch 429": {Call: apitest.After(100, apitest.Plain(apitest.Post(apitest.Batch, goodBatch).Signed())), Kind: "rate-limited"},
		"POST /v1/scores/batch 500": {Call: apitest.Plain(apitest.Post(apitest.Batch, goodBatch).With("Framedle-Signature", apitest.PanicHeader))},
		"POST /v1/scores/batch 503": {Call: apitest.Plain(apitest.Post(apitest.Batch, goodBatch).Signed()), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode} 200": {Call: apitest.Plain(apitest.Get(apitest.Daily))},
		"GET /v1/leaderboards/{mode} 304": {Call: apitest.Known(apitest.Get(apitest.Daily))},
		"GET /v1/leaderboards/{mode} 400": {Call: apitest.Plain(apitest.Get(apitest.Daily + "?limit=201")), Kind: "invalid-request"},
		"GET /v1/leaderboards/{mode} 404": {Call: apitest.Plain(apitest.Get("/v1/leaderboards/nothing")), Kind: "unknown-mode"},
		"GET /v1/leaderboards/{mode} 429": {Call: apitest.From("192.0.2.1:1", apitest.Get(apitest.Daily)), Kind: "rate-limited"},
		"GET /v1/leaderboards/{mode} 500": {Call: apitest.Plain(apitest.Get(apitest.Daily + fresh)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/leaderboards/{mode} 503": {Call: apitest.Plain(apitest.Get(apitest.Daily + fresh)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode}/players/{player} 200": {Call: apitest.Plain(apitest.Get(apitest.Card))},
		"GET /v1/leaderboards/{mode}/players/{player} 304": {Call: apitest.Known(apitest.Get(apitest.Card))},
		"GET /v1/leaderboards/{mode}/players/{player} 400": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/players/a%20b")), Kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/players/{player} 401": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/players/me")), Kind: "unauthenticated"},
		"GET /v1/leaderboards/{mode}/players/{player} 404": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/players/nobody")), Kind: "not-on-board"},
		"GET /v1/leaderboards/{mode}/players/{player} 429": {Call: apitest.From("192.0.2.2:1", apitest.Get(apitest.Card)), Kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/players/{player} 500": {Call: apitest.Plain(apitest.Get(apitest.Card)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/leaderboards/{mode}/players/{player} 503": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/players/user_c")), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode}/around/{player} 200": {Call: apitest.Plain(apitest.Get(around))},
		"GET /v1/leaderboards/{mode}/around/{player} 304": {Call: apitest.Known(apitest.Get(around))},
		"GET /v1/leaderboards/{mode}/around/{player} 400": {Call: apitest.Plain(apitest.Get(around + "?range=51")), Kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/around/{player} 401": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/around/me")), Kind: "unauthenticated"},
		"GET /v1/leaderboards/{mode}/around/{player} 404": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/around/nobody")), Kind: "not-on-board"},
		"GET /v1/leaderboards/{mode}/around/{player} 429": {Call: apitest.From("192.0.2.3:1", apitest.Get(around)), Kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/around/{player} 500": {Call: apitest.Plain(apitest.Get(around)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/leaderboards/{mode}/around/{player} 503": {Call: apitest.Plain(apitest.Get(apitest.Daily + "/around/user_c")), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/leaderboards/{mode}/distribution 200": {Call: apitest.Plain(apitest.Get(distribution))},
		"GET /v1/leaderboards/{mode}/distribution 304": {Call: apitest.Known(apitest.Get(distribution))},
		"GET /v1/leaderboards/{mode}/distribution 400": {Call: apitest.Plain(apitest.Get(distribution + "?buckets=51")), Kind: "invalid-request"},
		"GET /v1/leaderboards/{mode}/distribution 404": {Call: apitest.Plain(apitest.Get("/v1/leaderboards/nothing/distribution")), Kind: "unknown-mode"},
		"GET /v1/leaderboards/{mode}/distribution 429": {Call: apitest.From("192.0.2.3:1", apitest.Get(distribution)), Kind: "rate-limited"},
		"GET /v1/leaderboards/{mode}/distribution 500": {Call: apitest.Plain(apitest.Get(distribution + "?buckets=8")), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/leaderboards/{mode}/distribution 503": {Call: apitest.Plain(apitest.Get(distribution + "?buckets=7")), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"POST /v1/leaderboards/{mode}/lookup 200": {Call: apitest.Plain(apitest.Post(apitest.Lookup, goodLookup))},
		"POST /v1/leaderboards/{mode}/lookup 400": {Call: apitest.Plain(apitest.Post(apitest.Lookup, `{"players":[]}`)), Kind: "invalid-request"},
		"POST /v1/leaderboards/{mode}/lookup 404": {Call: apitest.Plain(apitest.Post("/v1/leaderboards/nothing/lookup", goodLookup)), Kind: "unknown-mode"},
		"POST /v1/leaderboards/{mode}/lookup 413": {Call: apitest.Plain(apitest.Post(apitest.Lookup, large)), Kind: "too-large"},
		"POST /v1/leaderboards/{mode}/lookup 415": {Call: apitest.Plain(text(apitest.Post(apitest.Lookup, goodLookup))), Kind: "unsupported-media-type"},
		"POST /v1/leaderboards/{mode}/lookup 429": {Call: apitest.From("192.0.2.4:1", apitest.Post(apitest.Lookup, goodLookup)), Kind: "rate-limited"},
		"POST /v1/leaderboards/{mode}/lookup 500": {Call: apitest.Plain(apitest.Post(apitest.Lookup, goodLookup)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"POST /v1/leaderboards/{mode}/lookup 503": {Call: apitest.Plain(apitest.Post(apitest.Lookup, goodLookup)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/game 200":      {Call: apitest.Plain(apitest.Get("/v1/game"))},
		"GET /v1/game 304":      {Call: apitest.Known(apitest.Get("/v1/game"))},
		"GET /v1/game 400":      {Call: apitest.Plain(apitest.Get("/v1/game?x=1")), Kind: "invalid-request"},
		"GET /v1/game 429":      {Call: apitest.From("192.0.2.5:1", apitest.Get("/v1/game")), Kind: "rate-limited"},
		"GET /openapi.yaml 200": {Call: apitest.Plain(apitest.Get("/openapi.yaml"))},
		"GET /openapi.yaml 304": {Call: apitest.Plain(apitest.Get("/openapi.yaml").With("If-None-Match", "*"))},
		"GET /openapi.yaml 429": {Call: apitest.From("192.0.2.5:1", apitest.Get("/openapi.yaml")), Kind: "rate-limited"},
	}
}

func TestEveryStatusOfTheKernelHappens(t *testing.T) {
	all := scenarios()
	maps.Copy(all, removalScenarios())
	maps.Copy(all, meScenarios())
	maps.Copy(all, peopleScenarios())
	apitest.EachStatus(t, all)
}

// Every documented status is one of the kernel's or of a feature's, whose tests make it happen.
func TestEveryDocumentedStatusIsTested(t *testing.T) {
	var tested strings.Builder
	for _, pattern := range []string{"*_test.go", "../feature/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			tested.Write(text)
		}
	}
	for pattern := range apitest.LoadContract(t).Operations() {
		require.Contains(t, tested.String(), `"`+pattern, "no test has its statuses")
	}
}
