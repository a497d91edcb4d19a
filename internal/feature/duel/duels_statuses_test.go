package duel_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strconv"
	"strings"
	"testing"
)

func duelScenarios() map[string]apitest.Scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	text := func(c apitest.Call) apitest.Call { return c.With("Content-Type", "text/plain") }
	remove := func(target string) apitest.Call { return apitest.Call{Method: http.MethodDelete, Target: target} }
	// of makes a call about a duel that is made for it.
	of := func(address func(*apitest.Stack) string, player string, c func(string) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call { return s.As(player, c(address(s))) }
	}
	waiting := func(s *apitest.Stack) string { return s.Challenge("user_a", `{}`) }
	ready := func(s *apitest.Stack) string {
		return s.Arrange("m"+strconv.FormatInt(s.Clock.Now().UnixNano(), 10), "user_a", "user_b")
	}
	over := func(s *apitest.Stack) string {
		address := ready(s)
		s.Want(http.StatusOK, apitest.Post(address+"/result", apitest.Won).Signed())
		return address
	}
	accept := func(address string) apitest.Call { return apitest.Post(address+"/accept", "") }
	rematch := func(address string) apitest.Call { return apitest.Post(address+"/rematch", "") }
	read := func(address string) apitest.Call { return apitest.Get(address) }
	result := func(address string) apitest.Call { return apitest.Post(address+"/result", apitest.Won) }
	const nothing = apitest.DuelsPath + "/nothing"
	all := map[string]apitest.Scenario{
		"POST /v1/duels 201": {Call: apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{"opponent":"user_b","mode":"daily"}`))},
		"POST /v1/duels 400": {Call: apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{"opponent":"user_a"}`)), Kind: "invalid-request"},
		"POST /v1/duels 403": {Call: apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{"players":["user_a","user_b"]}`)), Kind: "forbidden"},
		"POST /v1/duels 404": {Call: apitest.As("user_a", apitest.Post(apitest.DuelsPath, `{"mode":"nothing"}`)), Kind: "unknown-mode"},
		"POST /v1/duels 409": {Call: func(s *apitest.Stack) apitest.Call {
			return apitest.Post(apitest.DuelsPath, `{"id":"`+strings.TrimPrefix(ready(s), apitest.DuelsPath+"/")+`","players":["user_a","user_c"]}`).Signed()
		}, Kind: "duel-state"},
		"POST /v1/duels 422": {Call: apitest.Reused(apitest.As("user_reused", apitest.Post(apitest.DuelsPath, `{}`)), `{} `), Kind: "idempotency-key-reused"},

		"GET /v1/duels 200": {Call: apitest.As("user_a", apitest.Get(apitest.DuelsPath+"?player=me"))},
		"GET /v1/duels 400": {Call: apitest.As("user_a", apitest.Get(apitest.DuelsPath+"?cursor=x")), Kind: "invalid-request"},
		"GET /v1/duels 401": {Call: apitest.Plain(apitest.Get(apitest.DuelsPath)), Kind: "unauthenticated"},
		"GET /v1/duels 403": {Call: apitest.As("user_a", apitest.Get(apitest.DuelsPath+"?player=user_b")), Kind: "forbidden"},
		"GET /v1/duels 429": {Call: apitest.After(100, apitest.As("user_a", apitest.Get(apitest.DuelsPath).CameFrom("192.0.2.81:1"))), Kind: "rate-limited"},
		"GET /v1/duels 500": {Call: apitest.As("user_a", apitest.Get(apitest.DuelsPath)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/duels 503": {Call: apitest.As("user_a", apitest.Get(apitest.DuelsPath)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"POST /v1/duels/queue 409":       {Call: apitest.Running(apitest.As("user_a", apitest.Post(apitest.QueuePath, `{}`))), Kind: "idempotency-key-in-use"},
		"POST /v1/duels/queue 422":       {Call: apitest.Reused(apitest.As("user_a", apitest.Post(apitest.QueuePath, `{}`)), `{} `), Kind: "idempotency-key-reused"},
		"POST /v1/duels/{id}/accept 422": {Call: apitest.Reused(of(waiting, "user_b", accept), `{} `), Kind: "idempotency-key-reused"},
		"POST /v1/duels/{id}/result 422": {Call: apitest.Reused(func(s *apitest.Stack) apitest.Call { return result(ready(s)).Signed() }, apitest.Won+" "), Kind: "idempotency-key-reused"},
		"POST /v1/duels/queue 200":       {Call: apitest.As("user_a", apitest.Post(apitest.QueuePath, ""))},
		"POST /v1/duels/queue 400":       {Call: apitest.As("user_a", apitest.Post(apitest.QueuePath, `{"mode":7}`)), Kind: "invalid-request"},
		"POST /v1/duels/queue 403":       {Call: apitest.Banned(apitest.Post(apitest.QueuePath, `{}`)), Kind: "banned"},
		"POST /v1/duels/queue 404":       {Call: apitest.As("user_a", apitest.Post(apitest.QueuePath, `{"mode":"nothing"}`)), Kind: "unknown-mode"},

		"DELETE /v1/duels/queue 200": {Call: apitest.As("user_a", remove(apitest.QueuePath))},
		"DELETE /v1/duels/queue 400": {Call: apitest.As("user_a", remove(apitest.QueuePath+"?mode=")), Kind: "invalid-request"},
		"DELETE /v1/duels/queue 401": {Call: apitest.Plain(remove(apitest.QueuePath)), Kind: "unauthenticated"},
		"DELETE /v1/duels/queue 404": {Call: apitest.As("user_a", remove(apitest.QueuePath+"?mode=nothing")), Kind: "unknown-mode"},
		"DELETE /v1/duels/queue 500": {Call: apitest.As("user_a", remove(apitest.QueuePath)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"DELETE /v1/duels/queue 503": {Call: apitest.As("user_a", remove(apitest.QueuePath)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/duels/{id} 200":     {Call: of(waiting, "user_b", read)},
		"GET /v1/duels/{id} 400":     {Call: apitest.As("user_a", apitest.Get(apitest.DuelsPath+"/a%20b")), Kind: "invalid-request"},
		"GET /v1/duels/{id} 401":     {Call: apitest.Plain(apitest.Get(nothing)), Kind: "unauthenticated"},
		"GET /v1/duels/{id} 404":     {Call: of(ready, "user_c", read), Kind: "unknown-duel"},
		"DELETE /v1/duels/queue 429": {Call: apitest.After(100, apitest.As("user_a", apitest.Call{Method: http.MethodDelete, Target: apitest.DuelsPath + "/queue"}.CameFrom("192.0.2.83:1"))), Kind: "rate-limited"},
		"GET /v1/duels/{id} 429":     {Call: apitest.After(100, apitest.As("user_a", apitest.Get(nothing).CameFrom("192.0.2.82:1"))), Kind: "rate-limited"},
		"GET /v1/duels/{id} 500":     {Call: apitest.As("user_a", apitest.Get(nothing)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/duels/{id} 503":     {Call: apitest.As("user_a", apitest.Get(nothing)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /v1/live/duels/{id} 200": {Call: of(waiting, "user_b", apitest.WatchDuel)},
		"GET /v1/live/duels/{id} 204": {Call: of(over, "user_a", func(path string) apitest.Call { return apitest.WatchDuel(path).With("Last-Event-ID", "closed") })},
		"GET /v1/live/duels/{id} 400": {Call: apitest.As("user_a", apitest.Get("/v1/live/duels/a%20b")), Kind: "invalid-request"},
		"GET /v1/live/duels/{id} 401": {Call: apitest.Plain(apitest.WatchDuel(nothing)), Kind: "unauthenticated"},
		"GET /v1/live/duels/{id} 404": {Call: of(ready, "user_c", apitest.WatchDuel), Kind: "unknown-duel"},
		"GET /v1/live/duels/{id} 429": {Call: apitest.After(100, apitest.As("user_a", apitest.WatchDuel(nothing).CameFrom("192.0.2.84:1"))), Kind: "rate-limited"},
		"GET /v1/live/duels/{id} 500": {Call: apitest.As("user_a", apitest.WatchDuel(nothing)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/live/duels/{id} 503": {Call: apitest.As("user_a", apitest.WatchDuel(nothing)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"DELETE /v1/duels/{id} 200": {Call: of(waiting, "user_a", remove)},
		"DELETE /v1/duels/{id} 400": {Call: apitest.As("user_a", remove(apitest.DuelsPath+"/a%20b")), Kind: "invalid-request"},
		"DELETE /v1/duels/{id} 401": {Call: apitest.Plain(remove(nothing)), Kind: "unauthenticated"},
		"DELETE /v1/duels/{id} 403": {Call: func(s *apitest.Stack) apitest.Call { return remove(nothing).Bearer(s.Device().Token) }, Kind: "forbidden"},
		"DELETE /v1/duels/{id} 404": {Call: of(waiting, "user_b", remove), Kind: "unknown-duel"},
		"DELETE /v1/duels/{id} 409": {Call: of(ready, "user_a", remove), Kind: "duel-state"},
		"DELETE /v1/duels/{id} 429": {Call: apitest.After(100, apitest.As("user_a", remove(nothing).CameFrom("192.0.2.85:1"))), Kind: "rate-limited"},
		"DELETE /v1/duels/{id} 500": {Call: apitest.As("user_a", remove(nothing)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"DELETE /v1/duels/{id} 503": {Call: apitest.As("user_a", remove(nothing)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"POST /v1/duels/{id}/accept 200": {Call: of(waiting, "user_b", accept)},
		"POST /v1/duels/{id}/accept 400": {Call: apitest.As("user_a", apitest.Post(nothing+"/accept", `{"hat":1}`)), Kind: "invalid-request"},
		"POST /v1/duels/{id}/accept 403": {Call: apitest.Banned(apitest.Post(nothing+"/accept", "")), Kind: "banned"},
		"POST /v1/duels/{id}/accept 404": {Call: apitest.As("user_a", accept(nothing)), Kind: "unknown-duel"},
		"POST /v1/duels/{id}/accept 409": {Call: of(waiting, "user_a", accept), Kind: "duel-state"},

		"POST /v1/duels/{id}/result 200": {Call: func(s *apitest.Stack) apitest.Call { return result(ready(s)).Signed() }},
		"POST /v1/duels/{id}/result 400": {Call: apitest.As("user_a", apitest.Post(nothing+"/result", `{}`)), Kind: "invalid-request"},
		"POST /v1/duels/{id}/result 404": {Call: apitest.As("user_a", result(nothing)), Kind: "unknown-duel"},
		"POST /v1/duels/{id}/result 409": {Call: func(s *apitest.Stack) apitest.Call {
			return apitest.Post(over(s)+"/result", `{"winner":null}`).Signed()
		}, Kind: "duel-decided"},

		"POST /v1/duels/{id}/rematch 201": {Call: of(over, "user_b", rematch)},
		"POST /v1/duels/{id}/rematch 400": {Call: apitest.As("user_a", apitest.Post(nothing+"/rematch", `{"hat":1}`)), Kind: "invalid-request"},
		"POST /v1/duels/{id}/rematch 403": {Call: apitest.Banned(apitest.Post(nothing+"/rematch", "")), Kind: "banned"},
		"POST /v1/duels/{id}/rematch 404": {Call: apitest.As("user_a", rematch(nothing)), Kind: "unknown-duel"},
		"POST /v1/duels/{id}/rematch 409": {Call: of(ready, "user_a", rematch), Kind: "duel-state"},
	}
	for operation, c := range map[string]apitest.Call{
		"POST /v1/duels":              apitest.Post(apitest.DuelsPath, `{}`),
		"POST /v1/duels/queue":        apitest.Post(apitest.QueuePath, `{}`),
		"POST /v1/duels/{id}/accept":  apitest.Post(nothing+"/accept", `{}`),
		"POST /v1/duels/{id}/result":  apitest.Post(nothing+"/result", apitest.Won),
		"POST /v1/duels/{id}/rematch": apitest.Post(nothing+"/rematch", `{}`),
	} {
		big := c
		big.Body = large
		all[operation+" 401"] = apitest.Scenario{Call: apitest.Plain(c), Kind: "unauthenticated"}
		all[operation+" 413"] = apitest.Scenario{Call: apitest.As("user_a", big), Kind: "too-large"}
		all[operation+" 415"] = apitest.Scenario{Call: apitest.As("user_a", text(c)), Kind: "unsupported-media-type"}
		all[operation+" 500"] = apitest.Scenario{Call: apitest.As("user_a", c), Fault: apitest.RefusedCommand, Kind: "internal"}
		all[operation+" 503"] = apitest.Scenario{Call: apitest.As("user_a", c), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"}
		all[operation+" 429"] = apitest.Scenario{Call: apitest.After(121, apitest.As("user_busy", c)), Kind: "rate-limited"}
	}
	return all
}

func TestEveryStatusOfDuelsHappens(t *testing.T) { apitest.EachStatus(t, duelScenarios()) }
