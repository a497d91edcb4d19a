package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// racers counts the players that tests have sent to race: each is in one race alone.
var racers int

func newRacer() string { racers++; return fmt.Sprint("user_racer", racers) }

// racing has the game of the tests have races, if it has none yet.
func (s *stack) racing() {
	if !strings.Contains(s.game, "races:") {
		mode, challenges, _ := strings.Cut(typedMode, "\n") // others may have added sections behind the modes
		s.game = "races: {}\n" + challenges + strings.Replace(s.game, "modes:\n", "modes:\n"+mode+"\n", 1)
		s.handler = s.process()
	}
}

// waitingRace is the path of a race that waits, with its player.
func (s *stack) waitingRace(more string) (path, player string) {
	s.racing()
	var r struct{ ID string }
	player = newRacer()
	a := s.want(http.StatusCreated, s.as(player, post(racesAt, `{"mode":"typed"`+more+`}`)))
	require.NoError(s, json.Unmarshal(a.body, &r))
	return racesAt + "/" + r.ID, player
}

// startedRace is the path of a race of two that has begun.
func (s *stack) startedRace() (path string, players [2]string) {
	path, players[0] = s.waitingRace(`,"players":2`)
	players[1] = newRacer()
	s.want(http.StatusOK, s.as(players[1], post(path+"/join", "")))
	s.clock.Pass(3 * time.Second)
	return path, players
}

func watchRace(path string) call {
	return get("/v1/live/races" + path[strings.LastIndexByte(path, '/'):])
}

func raceScenarios() map[string]scenario {
	const nothing = racesAt + "/nothing"
	by := func(c func(path string) call) func(*stack) call {
		return func(s *stack) call { path, player := s.waitingRace(""); return s.as(player, c(path)) }
	}
	running := func(c func(path string) call) func(*stack) call {
		return func(s *stack) call { path, players := s.startedRace(); return s.as(players[0], c(path)) }
	}
	over := func(c func(path string) call) func(*stack) call {
		return func(s *stack) call {
			path, players := s.startedRace()
			for _, player := range players {
				s.want(http.StatusOK, s.as(player, post(path+"/leave", "")))
			}
			return s.as(players[0], c(path))
		}
	}
	goodRace, half := `{"mode":"typed"}`, `{"progress":0.5}`
	all := map[string]scenario{
		"POST /v1/races 201": {call: func(s *stack) call { return s.as(newRacer(), post(racesAt, goodRace)) }},
		"POST /v1/races 400": {call: as("user_a", post(racesAt, `{"mode":"daily"}`)), kind: "invalid-request"},
		"POST /v1/races 403": {call: banned(post(racesAt, goodRace)), kind: "banned"},
		"POST /v1/races 404": {call: as("user_a", post(racesAt, `{"mode":"nothing"}`)), kind: "unknown-mode"},
		"POST /v1/races 409": {call: by(func(string) call { return post(racesAt, goodRace) }), kind: "race-state"},
		"POST /v1/races 422": {call: func(s *stack) call { return reused(as(newRacer(), post(racesAt, goodRace)), goodRace+" ")(s) }, kind: "idempotency-key-reused"},

		"POST /v1/races/queue 200": {call: func(s *stack) call { return s.as(newRacer(), post(raceQueueAt, goodRace)) }},
		"POST /v1/races/queue 400": {call: as("user_a", post(raceQueueAt, `{}`)), kind: "invalid-request"},
		"POST /v1/races/queue 403": {call: banned(post(raceQueueAt, goodRace)), kind: "banned"},
		"POST /v1/races/queue 404": {call: as("user_a", post(raceQueueAt, `{"mode":"nothing"}`)), kind: "unknown-mode"},
		"POST /v1/races/queue 409": {call: func(s *stack) call {
			s.game = strings.Replace(s.game, "  typed:", "  other: {policy: best, max: 5, play: required}\n  typed:", 1)
			s.handler = s.process()
			_, player := s.waitingRace("")
			return s.as(player, post(raceQueueAt, `{"mode":"other"}`))
		}, kind: "race-state"},

		"DELETE /v1/races/queue 200": {call: as("user_a", remove(raceQueueAt, ""))},
		"DELETE /v1/races/queue 400": {call: as("user_a", remove(raceQueueAt+"?mode=typed", "")), kind: "invalid-request"},
		"DELETE /v1/races/queue 401": {call: plain(remove(raceQueueAt, "")), kind: "unauthenticated"},
		"DELETE /v1/races/queue 404": {call: func(s *stack) call {
			s.game = strings.Replace(s.game, "races: {}\n", "", 1)
			s.handler = s.process()
			return s.as("user_a", remove(raceQueueAt, ""))
		}, kind: "unknown-race"},
		"DELETE /v1/races/queue 429": {call: after(100, as("user_a", call{method: http.MethodDelete, target: raceQueueAt}.cameFrom("192.0.2.85:1"))), kind: "rate-limited"},
		"DELETE /v1/races/queue 500": {call: as("user_a", remove(raceQueueAt, "")), fault: refusedCommand, kind: "internal"},
		"DELETE /v1/races/queue 503": {call: as("user_a", remove(raceQueueAt, "")), fault: redisDown, kind: "temporarily-unavailable"},

		"POST /v1/races/{id}/join 200": {call: func(s *stack) call { path, _ := s.waitingRace(""); return s.as(newRacer(), post(path+"/join", "")) }},
		"POST /v1/races/{id}/join 400": {call: as("user_a", post(racesAt+"/a%20b/join", "")), kind: "invalid-request"},
		"POST /v1/races/{id}/join 403": {call: banned(post(nothing+"/join", "")), kind: "banned"},
		"POST /v1/races/{id}/join 404": {call: as("user_a", post(nothing+"/join", "")), kind: "unknown-race"},
		"POST /v1/races/{id}/join 409": {call: func(s *stack) call { path, _ := s.startedRace(); return s.as(newRacer(), post(path+"/join", "")) }, kind: "race-state"},

		"POST /v1/races/{id}/progress 200": {call: running(func(path string) call { return post(path+"/progress", half) })},
		"POST /v1/races/{id}/progress 400": {call: as("user_a", post(nothing+"/progress", `{"progress":2}`)), kind: "invalid-request"},
		"POST /v1/races/{id}/progress 403": {call: banned(post(nothing+"/progress", half)), kind: "banned"},
		"POST /v1/races/{id}/progress 404": {call: as("user_a", post(nothing+"/progress", half)), kind: "unknown-race"},
		"POST /v1/races/{id}/progress 409": {call: by(func(path string) call { return post(path+"/progress", half) }), kind: "race-state"},

		"POST /v1/races/{id}/leave 200": {call: by(func(path string) call { return post(path+"/leave", "") })},
		"POST /v1/races/{id}/leave 400": {call: as("user_a", post(racesAt+"/a%20b/leave", "")), kind: "invalid-request"},
		"POST /v1/races/{id}/leave 403": {call: asDevice(post(nothing+"/leave", "")), kind: "forbidden"},
		"POST /v1/races/{id}/leave 404": {call: as("user_a", post(nothing+"/leave", "")), kind: "unknown-race"},

		"GET /v1/live/races/{id} 204": {call: over(func(path string) call { return watchRace(path).with("Last-Event-ID", "closed") })},
	}
	for operation, c := range map[string]func(path string) call{
		"GET /v1/races/{id}": get, "GET /v1/live/races/{id}": watchRace,
	} {
		all[operation+" 200"] = scenario{call: by(c)}
		all[operation+" 400"] = scenario{call: as("user_a", c(racesAt+"/a%20b")), kind: "invalid-request"}
		all[operation+" 401"] = scenario{call: plain(c(nothing)), kind: "unauthenticated"}
		all[operation+" 404"] = scenario{call: as("user_a", c(nothing)), kind: "unknown-race"}
		all[operation+" 429"] = scenario{call: after(100, as("user_a", c(nothing).cameFrom("192.0.2.86:1"))), kind: "rate-limited"}
		all[operation+" 500"] = scenario{call: as("user_a", c(nothing)), fault: refusedCommand, kind: "internal"}
		all[operation+" 503"] = scenario{call: as("user_a", c(nothing)), fault: redisDown, kind: "temporarily-unavailable"}
	}
	large := strings.Repeat(" ", 64<<10) + "{}"
	for operation, c := range map[string]call{
		"POST /v1/races":               post(racesAt, goodRace),
		"POST /v1/races/queue":         post(raceQueueAt, goodRace),
		"POST /v1/races/{id}/join":     post(nothing+"/join", `{}`),
		"POST /v1/races/{id}/progress": post(nothing+"/progress", half),
		"POST /v1/races/{id}/leave":    post(nothing+"/leave", `{}`),
	} {
		big := c
		big.body = large
		all[operation+" 401"] = scenario{call: plain(c), kind: "unauthenticated"}
		all[operation+" 413"] = scenario{call: as("user_a", big), kind: "too-large"}
		all[operation+" 415"] = scenario{call: as("user_a", c.with("Content-Type", "text/plain")), kind: "unsupported-media-type"}
		all[operation+" 500"] = scenario{call: as("user_a", c), fault: refusedCommand, kind: "internal"}
		all[operation+" 503"] = scenario{call: as("user_a", c), fault: redisDown, kind: "temporarily-unavailable"}
		all[operation+" 429"] = scenario{call: after(121, as("user_busy", c)), kind: "rate-limited"}
	}
	return all
}
