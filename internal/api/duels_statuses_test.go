package api_test

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// challenge has a player open a duel and returns its address.
func (s *stack) challenge(player, body string) string {
	s.Helper()
	var d duelBody
	s.want(http.StatusCreated, s.as(player, post(duelsPath, body))).into(s, &d)
	return duelsPath + "/" + d.ID
}

// arrange has a game server make a ready duel and returns its address.
func (s *stack) arrange(id, a, b string) string {
	s.Helper()
	body := `{"id":"` + id + `","players":["` + a + `","` + b + `"]}`
	s.want(http.StatusCreated, post(duelsPath, body).signed())
	return duelsPath + "/" + id
}

const (
	duelsPath = "/v1/duels"
	queuePath = "/v1/duels/queue"
	won       = `{"winner":"user_a","score":[3,1]}`
)

func duelScenarios() map[string]scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	text := func(c call) call { return c.with("Content-Type", "text/plain") }
	remove := func(target string) call { return call{method: http.MethodDelete, target: target} }
	// of makes a call about a duel that is made for it.
	of := func(address func(*stack) string, player string, c func(string) call) func(*stack) call {
		return func(s *stack) call { return s.as(player, c(address(s))) }
	}
	waiting := func(s *stack) string { return s.challenge("user_a", `{}`) }
	ready := func(s *stack) string {
		return s.arrange("m"+strconv.FormatInt(s.clock.Now().UnixNano(), 10), "user_a", "user_b")
	}
	over := func(s *stack) string {
		address := ready(s)
		s.want(http.StatusOK, post(address+"/result", won).signed())
		return address
	}
	accept := func(address string) call { return post(address+"/accept", "") }
	rematch := func(address string) call { return post(address+"/rematch", "") }
	read := func(address string) call { return get(address) }
	result := func(address string) call { return post(address+"/result", won) }
	const nothing = duelsPath + "/nothing"
	all := map[string]scenario{
		"POST /v1/duels 201": {call: as("user_a", post(duelsPath, `{"opponent":"user_b","mode":"daily"}`))},
		"POST /v1/duels 400": {call: as("user_a", post(duelsPath, `{"opponent":"user_a"}`)), kind: "invalid-request"},
		"POST /v1/duels 403": {call: as("user_a", post(duelsPath, `{"players":["user_a","user_b"]}`)), kind: "forbidden"},
		"POST /v1/duels 404": {call: as("user_a", post(duelsPath, `{"mode":"nothing"}`)), kind: "unknown-mode"},
		"POST /v1/duels 409": {call: func(s *stack) call {
			return post(duelsPath, `{"id":"`+strings.TrimPrefix(ready(s), duelsPath+"/")+`","players":["user_a","user_c"]}`).signed()
		}, kind: "duel-state"},
		"POST /v1/duels 422": {call: reused(as("user_reused", post(duelsPath, `{}`)), `{} `), kind: "idempotency-key-reused"},

		"GET /v1/duels 200": {call: as("user_a", get(duelsPath+"?player=me"))},
		"GET /v1/duels 400": {call: as("user_a", get(duelsPath+"?cursor=x")), kind: "invalid-request"},
		"GET /v1/duels 401": {call: plain(get(duelsPath)), kind: "unauthenticated"},
		"GET /v1/duels 403": {call: as("user_a", get(duelsPath+"?player=user_b")), kind: "forbidden"},
		"GET /v1/duels 429": {call: after(100, as("user_a", get(duelsPath).cameFrom("192.0.2.81:1"))), kind: "rate-limited"},
		"GET /v1/duels 500": {call: as("user_a", get(duelsPath)), fault: refusedCommand, kind: "internal"},
		"GET /v1/duels 503": {call: as("user_a", get(duelsPath)), fault: redisDown, kind: "temporarily-unavailable"},

		"POST /v1/duels/queue 409":       {call: running(as("user_a", post(queuePath, `{}`))), kind: "idempotency-key-in-use"},
		"POST /v1/duels/queue 422":       {call: reused(as("user_a", post(queuePath, `{}`)), `{} `), kind: "idempotency-key-reused"},
		"POST /v1/duels/{id}/accept 422": {call: reused(of(waiting, "user_b", accept), `{} `), kind: "idempotency-key-reused"},
		"POST /v1/duels/{id}/result 422": {call: reused(func(s *stack) call { return result(ready(s)).signed() }, won+" "), kind: "idempotency-key-reused"},
		"POST /v1/duels/queue 200":       {call: as("user_a", post(queuePath, ""))},
		"POST /v1/duels/queue 400":       {call: as("user_a", post(queuePath, `{"mode":7}`)), kind: "invalid-request"},
		"POST /v1/duels/queue 403":       {call: banned(post(queuePath, `{}`)), kind: "banned"},
		"POST /v1/duels/queue 404":       {call: as("user_a", post(queuePath, `{"mode":"nothing"}`)), kind: "unknown-mode"},

		"DELETE /v1/duels/queue 200": {call: as("user_a", remove(queuePath))},
		"DELETE /v1/duels/queue 400": {call: as("user_a", remove(queuePath+"?mode=")), kind: "invalid-request"},
		"DELETE /v1/duels/queue 401": {call: plain(remove(queuePath)), kind: "unauthenticated"},
		"DELETE /v1/duels/queue 404": {call: as("user_a", remove(queuePath+"?mode=nothing")), kind: "unknown-mode"},
		"DELETE /v1/duels/queue 500": {call: as("user_a", remove(queuePath)), fault: refusedCommand, kind: "internal"},
		"DELETE /v1/duels/queue 503": {call: as("user_a", remove(queuePath)), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/duels/{id} 200":     {call: of(waiting, "user_b", read)},
		"GET /v1/duels/{id} 400":     {call: as("user_a", get(duelsPath+"/a%20b")), kind: "invalid-request"},
		"GET /v1/duels/{id} 401":     {call: plain(get(nothing)), kind: "unauthenticated"},
		"GET /v1/duels/{id} 404":     {call: of(ready, "user_c", read), kind: "unknown-duel"},
		"DELETE /v1/duels/queue 429": {call: after(100, as("user_a", call{method: http.MethodDelete, target: duelsPath + "/queue"}.cameFrom("192.0.2.83:1"))), kind: "rate-limited"},
		"GET /v1/duels/{id} 429":     {call: after(100, as("user_a", get(nothing).cameFrom("192.0.2.82:1"))), kind: "rate-limited"},
		"GET /v1/duels/{id} 500":     {call: as("user_a", get(nothing)), fault: refusedCommand, kind: "internal"},
		"GET /v1/duels/{id} 503":     {call: as("user_a", get(nothing)), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /v1/live/duels/{id} 200": {call: of(waiting, "user_b", watchDuel)},
		"GET /v1/live/duels/{id} 204": {call: of(over, "user_a", func(path string) call { return watchDuel(path).with("Last-Event-ID", "closed") })},
		"GET /v1/live/duels/{id} 400": {call: as("user_a", get("/v1/live/duels/a%20b")), kind: "invalid-request"},
		"GET /v1/live/duels/{id} 401": {call: plain(watchDuel(nothing)), kind: "unauthenticated"},
		"GET /v1/live/duels/{id} 404": {call: of(ready, "user_c", watchDuel), kind: "unknown-duel"},
		"GET /v1/live/duels/{id} 429": {call: after(100, as("user_a", watchDuel(nothing).cameFrom("192.0.2.84:1"))), kind: "rate-limited"},
		"GET /v1/live/duels/{id} 500": {call: as("user_a", watchDuel(nothing)), fault: refusedCommand, kind: "internal"},
		"GET /v1/live/duels/{id} 503": {call: as("user_a", watchDuel(nothing)), fault: redisDown, kind: "temporarily-unavailable"},

		"POST /v1/duels/{id}/accept 200": {call: of(waiting, "user_b", accept)},
		"POST /v1/duels/{id}/accept 400": {call: as("user_a", post(nothing+"/accept", `{"hat":1}`)), kind: "invalid-request"},
		"POST /v1/duels/{id}/accept 403": {call: banned(post(nothing+"/accept", "")), kind: "banned"},
		"POST /v1/duels/{id}/accept 404": {call: as("user_a", accept(nothing)), kind: "unknown-duel"},
		"POST /v1/duels/{id}/accept 409": {call: of(waiting, "user_a", accept), kind: "duel-state"},

		"POST /v1/duels/{id}/result 200": {call: func(s *stack) call { return result(ready(s)).signed() }},
		"POST /v1/duels/{id}/result 400": {call: as("user_a", post(nothing+"/result", `{}`)), kind: "invalid-request"},
		"POST /v1/duels/{id}/result 404": {call: as("user_a", result(nothing)), kind: "unknown-duel"},
		"POST /v1/duels/{id}/result 409": {call: func(s *stack) call { return post(over(s)+"/result", `{"winner":null}`).signed() }, kind: "duel-decided"},

		"POST /v1/duels/{id}/rematch 201": {call: of(over, "user_b", rematch)},
		"POST /v1/duels/{id}/rematch 400": {call: as("user_a", post(nothing+"/rematch", `{"hat":1}`)), kind: "invalid-request"},
		"POST /v1/duels/{id}/rematch 403": {call: banned(post(nothing+"/rematch", "")), kind: "banned"},
		"POST /v1/duels/{id}/rematch 404": {call: as("user_a", rematch(nothing)), kind: "unknown-duel"},
		"POST /v1/duels/{id}/rematch 409": {call: of(ready, "user_a", rematch), kind: "duel-state"},
	}
	for operation, c := range map[string]call{
		"POST /v1/duels":              post(duelsPath, `{}`),
		"POST /v1/duels/queue":        post(queuePath, `{}`),
		"POST /v1/duels/{id}/accept":  post(nothing+"/accept", `{}`),
		"POST /v1/duels/{id}/result":  post(nothing+"/result", won),
		"POST /v1/duels/{id}/rematch": post(nothing+"/rematch", `{}`),
	} {
		big := c
		big.body = large
		all[operation+" 401"] = scenario{call: plain(c), kind: "unauthenticated"}
		all[operation+" 413"] = scenario{call: as("user_a", big), kind: "too-large"}
		all[operation+" 415"] = scenario{call: as("user_a", text(c)), kind: "unsupported-media-type"}
		all[operation+" 500"] = scenario{call: as("user_a", c), fault: refusedCommand, kind: "internal"}
		all[operation+" 503"] = scenario{call: as("user_a", c), fault: redisDown, kind: "temporarily-unavailable"}
		all[operation+" 429"] = scenario{call: after(121, as("user_busy", c)), kind: "rate-limited"}
	}
	return all
}

// banned has a player who may not play make a call.
func banned(c call) func(*stack) call {
	return func(s *stack) call {
		a := s.do(call{method: http.MethodPut, target: "/v1/ops/bans/user_banned"}.bearer(opsToken))
		require.Equal(s, http.StatusOK, a.status)
		return s.as("user_banned", c)
	}
}
