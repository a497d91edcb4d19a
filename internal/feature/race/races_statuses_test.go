package race_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"testing"
)

func raceScenarios() map[string]apitest.Scenario {
	const nothing = apitest.RacesAt + "/nothing"
	by := func(c func(path string) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call { path, player := s.WaitingRace(""); return s.As(player, c(path)) }
	}
	running := func(c func(path string) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call {
			path, players := s.StartedRace()
			return s.As(players[0], c(path))
		}
	}
	over := func(c func(path string) apitest.Call) func(*apitest.Stack) apitest.Call {
		return func(s *apitest.Stack) apitest.Call {
			path, players := s.StartedRace()
			for _, player := range players {
				s.Want(http.StatusOK, s.As(player, apitest.Post(path+"/leave", "")))
			}
			return s.As(players[0], c(path))
		}
	}
	goodRace, half := `{"mode":"typed"}`, `{"progress":0.5}`
	all := map[string]apitest.Scenario{
		"POST /v1/races 201": {Call: func(s *apitest.Stack) apitest.Call {
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RacesAt, goodRace))
		}},
		"POST /v1/races 400": {Call: apitest.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"daily"}`)), Kind: "invalid-request"},
		"POST /v1/races 403": {Call: apitest.Banned(apitest.Post(apitest.RacesAt, goodRace)), Kind: "banned"},
		"POST /v1/races 404": {Call: apitest.As("user_a", apitest.Post(apitest.RacesAt, `{"mode":"nothing"}`)), Kind: "unknown-mode"},
		"POST /v1/races 409": {Call: by(func(string) apitest.Call { return apitest.Post(apitest.RacesAt, goodRace) }), Kind: "race-state"},
		"POST /v1/races 422": {Call: func(s *apitest.Stack) apitest.Call {
			return apitest.Reused(apitest.As(apitest.NewRacer(), apitest.Post(apitest.RacesAt, goodRace)), goodRace+" ")(s)
		}, Kind: "idempotency-key-reused"},

		"POST /v1/races/queue 200": {Call: func(s *apitest.Stack) apitest.Call {
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RaceQueueAt, goodRace))
		}},
		"POST /v1/races/queue 400": {Call: apitest.As("user_a", apitest.Post(apitest.RaceQueueAt, `{}`)), Kind: "invalid-request"},
		"POST /v1/races/queue 403": {Call: apitest.Banned(apitest.Post(apitest.RaceQueueAt, goodRace)), Kind: "banned"},
		"POST /v1/races/queue 404": {Call: apitest.As("user_a", apitest.Post(apitest.RaceQueueAt, `{"mode":"nothing"}`)), Kind: "unknown-mode"},
		"POST /v1/races/queue 409": {Call: func(s *apitest.Stack) apitest.Call {
			s.Game = strings.Replace(s.Game, "  typed:", "  other: {policy: best, max: 5, play: required}\n  typed:", 1)
			s.Handler = s.Process()
			_, player := s.WaitingRace("")
			return s.As(player, apitest.Post(apitest.RaceQueueAt, `{"mode":"other"}`))
		}, Kind: "race-state"},
		"POST /v1/races/queue 422": {Call: func(s *apitest.Stack) apitest.Call {
			s.Racing()
			s.Queued = true
			s.Handler = s.Process()
			return s.As(apitest.NewRacer(), apitest.Post(apitest.RaceQueueAt, goodRace))
		}, Kind: "play-refused"},

		"DELETE /v1/races/queue 200": {Call: apitest.As("user_a", apitest.Remove(apitest.RaceQueueAt, ""))},
		"DELETE /v1/races/queue 400": {Call: apitest.As("user_a", apitest.Remove(apitest.RaceQueueAt+"?mode=typed", "")), Kind: "invalid-request"},
		"DELETE /v1/races/queue 401": {Call: apitest.Plain(apitest.Remove(apitest.RaceQueueAt, "")), Kind: "unauthenticated"},
		"DELETE /v1/races/queue 404": {Call: func(s *apitest.Stack) apitest.Call {
			s.Game = strings.Replace(s.Game, "races: {}\n", "", 1)
			s.Handler = s.Process()
			return s.As("user_a", apitest.Remove(apitest.RaceQueueAt, ""))
		}, Kind: "unknown-race"},
		"DELETE /v1/races/queue 429": {Call: apitest.After(100, apitest.As("user_a", apitest.Call{Method: http.MethodDelete, Target: apitest.RaceQueueAt}.CameFrom("192.0.2.85:1"))), Kind: "rate-limited"},
		"DELETE /v1/races/queue 500": {Call: apitest.As("user_a", apitest.Remove(apitest.RaceQueueAt, "")), Fault: apitest.RefusedCommand, Kind: "internal"},
		"DELETE /v1/races/queue 503": {Call: apitest.As("user_a", apitest.Remove(apitest.RaceQueueAt, "")), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"POST /v1/races/{id}/join 200": {Call: func(s *apitest.Stack) apitest.Call {
			path, _ := s.WaitingRace("")
			return s.As(apitest.NewRacer(), apitest.Post(path+"/join", ""))
		}},
		"POST /v1/races/{id}/join 400": {Call: apitest.As("user_a", apitest.Post(apitest.RacesAt+"/a%20b/join", "")), Kind: "invalid-request"},
		"POST /v1/races/{id}/join 403": {Call: apitest.Banned(apitest.Post(nothing+"/join", "")), Kind: "banned"},
		"POST /v1/races/{id}/join 404": {Call: apitest.As("user_a", apitest.Post(nothing+"/join", "")), Kind: "unknown-race"},
		"POST /v1/races/{id}/join 409": {Call: func(s *apitest.Stack) apitest.Call {
			path, _ := s.StartedRace()
			return s.As(apitest.NewRacer(), apitest.Post(path+"/join", ""))
		}, Kind: "race-state"},

		"POST /v1/races/{id}/progress 200": {Call: running(func(path string) apitest.Call { return apitest.Post(path+"/progress", half) })},
		"POST /v1/races/{id}/progress 400": {Call: apitest.As("user_a", apitest.Post(nothing+"/progress", `{"progress":2}`)), Kind: "invalid-request"},
		"POST /v1/races/{id}/progress 403": {Call: apitest.Banned(apitest.Post(nothing+"/progress", half)), Kind: "banned"},
		"POST /v1/races/{id}/progress 404": {Call: apitest.As("user_a", apitest.Post(nothing+"/progress", half)), Kind: "unknown-race"},
		"POST /v1/races/{id}/progress 409": {Call: by(func(path string) apitest.Call { return apitest.Post(path+"/progress", half) }), Kind: "race-state"},

		"POST /v1/races/{id}/leave 200": {Call: by(func(path string) apitest.Call { return apitest.Post(path+"/leave", "") })},
		"POST /v1/races/{id}/leave 400": {Call: apitest.As("user_a", apitest.Post(apitest.RacesAt+"/a%20b/leave", "")), Kind: "invalid-request"},
		"POST /v1/races/{id}/leave 403": {Call: apitest.AsDevice(apitest.Post(nothing+"/leave", "")), Kind: "forbidden"},
		"POST /v1/races/{id}/leave 404": {Call: apitest.As("user_a", apitest.Post(nothing+"/leave", "")), Kind: "unknown-race"},

		"GET /v1/live/races/{id} 204": {Call: over(func(path string) apitest.Call { return apitest.WatchRace(path).With("Last-Event-ID", "closed") })},
	}
	for operation, c := range map[string]func(path string) apitest.Call{
		"GET /v1/races/{id}": apitest.Get, "GET /v1/live/races/{id}": apitest.WatchRace,
	} {
		all[operation+" 200"] = apitest.Scenario{Call: by(c)}
		all[operation+" 400"] = apitest.Scenario{Call: apitest.As("user_a", c(apitest.RacesAt+"/a%20b")), Kind: "invalid-request"}
		all[operation+" 401"] = apitest.Scenario{Call: apitest.Plain(c(nothing)), Kind: "unauthenticated"}
		all[operation+" 404"] = apitest.Scenario{Call: apitest.As("user_a", c(nothing)), Kind: "unknown-race"}
		all[operation+" 429"] = apitest.Scenario{Call: apitest.After(100, apitest.As("user_a", c(nothing).CameFrom("192.0.2.86:1"))), Kind: "rate-limited"}
		all[operation+" 500"] = apitest.Scenario{Call: apitest.As("user_a", c(nothing)), Fault: apitest.RefusedCommand, Kind: "internal"}
		all[operation+" 503"] = apitest.Scenario{Call: apitest.As("user_a", c(nothing)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"}
	}
	large := strings.Repeat(" ", 64<<10) + "{}"
	for operation, c := range map[string]apitest.Call{
		"POST /v1/races":               apitest.Post(apitest.RacesAt, goodRace),
		"POST /v1/races/queue":         apitest.Post(apitest.RaceQueueAt, goodRace),
		"POST /v1/races/{id}/join":     apitest.Post(nothing+"/join", `{}`),
		"POST /v1/races/{id}/progress": apitest.Post(nothing+"/progress", half),
		"POST /v1/races/{id}/leave":    apitest.Post(nothing+"/leave", `{}`),
	} {
		big := c
		big.Body = large
		all[operation+" 401"] = apitest.Scenario{Call: apitest.Plain(c), Kind: "unauthenticated"}
		all[operation+" 413"] = apitest.Scenario{Call: apitest.As("user_a", big), Kind: "too-large"}
		all[operation+" 415"] = apitest.Scenario{Call: apitest.As("user_a", c.With("Content-Type", "text/plain")), Kind: "unsupported-media-type"}
		all[operation+" 500"] = apitest.Scenario{Call: apitest.As("user_a", c), Fault: apitest.RefusedCommand, Kind: "internal"}
		all[operation+" 503"] = apitest.Scenario{Call: apitest.As("user_a", c), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"}
		all[operation+" 429"] = apitest.Scenario{Call: apitest.After(121, apitest.As("user_busy", c)), Kind: "rate-limited"}
	}
	return all
}

func TestEveryStatusOfRacesHappens(t *testing.T) { apitest.EachStatus(t, raceScenarios()) }
