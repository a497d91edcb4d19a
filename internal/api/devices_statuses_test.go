package api_test

import (
	"net/http"
	"strings"
)

const (
	devicesPath = "/v1/devices"
	claimPath   = "/v1/me/claim"
)

// asDevice has a new device make a call.
func asDevice(c call) func(*stack) call {
	return func(s *stack) call { return c.bearer(s.device().Token) }
}

// claiming has a player claim a new device.
func claiming(player string) func(*stack) call {
	return func(s *stack) call { return s.as(player, s.claim(s.device())) }
}

// claimed has a player claim a device that another one has claimed.
func claimed(s *stack) call {
	device := s.device()
	s.want(http.StatusOK, s.as("user_b", s.claim(device)))
	return s.as("user_a", s.claim(device))
}

// registered makes a call where a game has no anonymous players.
func registered(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		made := c(s)
		s.game = strings.Replace(s.game, "anonymous: true", "anonymous: false", 1)
		s.handler = s.process()
		return made
	}
}

func deviceScenarios() map[string]scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	text := func(c call) call { return c.with("Content-Type", "text/plain") }
	device := post(devicesPath, "")
	all := map[string]scenario{
		"POST /v1/devices 201": {call: plain(device)},
		"POST /v1/devices 200": {call: asDevice(device)},
		"POST /v1/devices 400": {call: plain(post(devicesPath, `{"name":"Ana"}`)), kind: "invalid-request"},
		"POST /v1/devices 401": {call: plain(device.bearer("dev1.nothing")), kind: "unauthenticated"},
		"POST /v1/devices 403": {call: as("user_a", device), kind: "forbidden"},
		"POST /v1/devices 404": {call: registered(plain(device)), kind: "not-found"},
		"POST /v1/devices 413": {call: plain(post(devicesPath, large)), kind: "too-large"},
		"POST /v1/devices 415": {call: plain(text(device)), kind: "unsupported-media-type"},
		"POST /v1/devices 429": {call: after(20, plain(device.cameFrom("192.0.2.9:1"))), kind: "rate-limited"},

		"POST /v1/me/claim 200": {call: claiming("user_a")},
		"POST /v1/me/claim 400": {call: as("user_a", post(claimPath, `{"device_token":"dev1.nothing"}`)), kind: "invalid-request"},
		"POST /v1/me/claim 401": {call: plain(post(claimPath, `{"device_token":"dev1.nothing"}`)), kind: "unauthenticated"},
		"POST /v1/me/claim 403": {call: asDevice(post(claimPath, `{"device_token":"dev1.nothing"}`)), kind: "forbidden"},
		"POST /v1/me/claim 404": {call: registered(claiming("user_a")), kind: "not-found"},
		"POST /v1/me/claim 409": {call: claimed, kind: "device-taken"},
		"POST /v1/me/claim 413": {call: as("user_a", post(claimPath, large)), kind: "too-large"},
		"POST /v1/me/claim 415": {call: as("user_a", text(post(claimPath, "{}"))), kind: "unsupported-media-type"},
		"POST /v1/me/claim 422": {call: func(s *stack) call {
			first := s.as("user_a", s.claim(s.device())).with("Idempotency-Key", "claim")
			s.want(http.StatusOK, first)
			first.body = s.claim(s.device()).body
			return first
		}, kind: "idempotency-key-reused"},
		"POST /v1/me/claim 429": {call: func(s *stack) call {
			c := s.as("user_a", s.claim(s.device()).cameFrom("192.0.2.10:1"))
			for range 20 {
				s.want(http.StatusOK, c)
			}
			return c
		}, kind: "rate-limited"},
		"POST /v1/me/claim 500": {call: claiming("user_a"), fault: refusedCommand, kind: "internal"},
		"POST /v1/me/claim 503": {call: claiming("user_a"), fault: redisDown, kind: "temporarily-unavailable"},
	}
	for name, c := range map[string]call{
		"PATCH /v1/me":                              patch(myself, `{"country":"PT"}`),
		"DELETE /v1/me":                             {method: http.MethodDelete, target: myself},
		"GET /v1/leaderboards/{mode}/friends":       get(daily + "/friends"),
		"GET /v1/friends":                           get("/v1/friends"),
		"POST /v1/friends/requests":                 post(requestsPath, `{"player":"user_b"}`),
		"POST /v1/friends/requests/{player}/accept": post(requestsPath+"/user_b/accept", ""),
		"DELETE /v1/friends/requests/{player}":      {method: http.MethodDelete, target: requestsPath + "/user_b"},
		"DELETE /v1/friends/{player}":               {method: http.MethodDelete, target: "/v1/friends/user_b"},
		"PUT /v1/friends/blocks/{player}":           {method: http.MethodPut, target: "/v1/friends/blocks/user_b"},
		"DELETE /v1/friends/blocks/{player}":        {method: http.MethodDelete, target: "/v1/friends/blocks/user_b"},
		"POST /v1/friends/invites":                  post(invitesPath, ""),
		"GET /v1/friends/invites/{code}":            get(invitesPath + "/abcdefghijkl"),
		"POST /v1/friends/invites/{code}/accept":    post(invitesPath+"/abcdefghijkl/accept", ""),
		"DELETE /v1/duels/queue":                    {method: http.MethodDelete, target: "/v1/duels/queue"},
		"GET /v1/live/duels/{id}":                   get("/v1/live/duels/abc"),
		"GET /v1/duels/{id}":                        get("/v1/duels/abc"),
		"GET /v1/live/races/{id}":                   get("/v1/live/races/abc"),
		"GET /v1/races/{id}":                        get(racesAt + "/abc"),
		"DELETE /v1/races/queue":                    remove(raceQueueAt, ""),
		"POST /v1/duels/{id}/result":                post("/v1/duels/abc/result", `{"winner":"user_a"}`),
	} {
		all[name+" 403"] = scenario{call: asDevice(c), kind: "forbidden"}
	}
	return all
}
