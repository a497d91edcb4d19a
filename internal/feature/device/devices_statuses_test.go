package device_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"testing"
)

// claimed has a player claim a device that another one has claimed.
func claimed(s *apitest.Stack) apitest.Call {
	device := issued(s)
	s.Want(http.StatusOK, s.As("user_b", s.Claim(device)))
	return s.As("user_a", s.Claim(device))
}

// registered makes a call where a game has no anonymous players.
func registered(c func(*apitest.Stack) apitest.Call) func(*apitest.Stack) apitest.Call {
	return func(s *apitest.Stack) apitest.Call {
		made := c(s)
		s.Game = strings.Replace(s.Game, "anonymous: true", "anonymous: false", 1)
		s.Handler = s.Process()
		return made
	}
}

func deviceScenarios() map[string]apitest.Scenario {
	large := strings.Repeat(" ", 64<<10) + "{}"
	text := func(c apitest.Call) apitest.Call { return c.With("Content-Type", "text/plain") }
	device := apitest.Post(apitest.DevicesPath, "")
	all := map[string]apitest.Scenario{
		"POST /v1/devices 201": {Call: apitest.Plain(device)},
		"POST /v1/devices 200": {Call: apitest.AsDevice(device)},
		"POST /v1/devices 400": {Call: apitest.Plain(apitest.Post(apitest.DevicesPath, `{"name":"Ana"}`)), Kind: "invalid-request"},
		"POST /v1/devices 401": {Call: apitest.Plain(device.Bearer("dev1.nothing")), Kind: "unauthenticated"},
		"POST /v1/devices 403": {Call: apitest.As("user_a", device), Kind: "forbidden"},
		"POST /v1/devices 404": {Call: registered(apitest.Plain(device)), Kind: "not-found"},
		"POST /v1/devices 413": {Call: apitest.Plain(apitest.Post(apitest.DevicesPath, large)), Kind: "too-large"},
		"POST /v1/devices 415": {Call: apitest.Plain(text(device)), Kind: "unsupported-media-type"},
		"POST /v1/devices 429": {Call: apitest.After(20, apitest.Plain(device.CameFrom("192.0.2.9:1"))), Kind: "rate-limited"},

		"POST /v1/me/claim 200": {Call: apitest.Claiming("user_a")},
		"POST /v1/me/claim 400": {Call: apitest.As("user_a", apitest.Post(apitest.ClaimPath, `{"device_token":"dev1.nothing"}`)), Kind: "invalid-request"},
		"POST /v1/me/claim 401": {Call: apitest.Plain(apitest.Post(apitest.ClaimPath, `{"device_token":"dev1.nothing"}`)), Kind: "unauthenticated"},
		"POST /v1/me/claim 403": {Call: apitest.AsDevice(apitest.Post(apitest.ClaimPath, `{"device_token":"dev1.nothing"}`)), Kind: "forbidden"},
		"POST /v1/me/claim 404": {Call: registered(apitest.Claiming("user_a")), Kind: "not-found"},
		"POST /v1/me/claim 409": {Call: claimed, Kind: "device-taken"},
		"POST /v1/me/claim 413": {Call: apitest.As("user_a", apitest.Post(apitest.ClaimPath, large)), Kind: "too-large"},
		"POST /v1/me/claim 415": {Call: apitest.As("user_a", text(apitest.Post(apitest.ClaimPath, "{}"))), Kind: "unsupported-media-type"},
		"POST /v1/me/claim 422": {Call: func(s *apitest.Stack) apitest.Call {
			first := s.As("user_a", s.Claim(issued(s))).With("Idempotency-Key", "claim")
			s.Want(http.StatusOK, first)
			first.Body = s.Claim(issued(s)).Body
			return first
		}, Kind: "idempotency-key-reused"},
		"POST /v1/me/claim 429": {Call: func(s *apitest.Stack) apitest.Call {
			c := s.As("user_a", s.Claim(issued(s)).CameFrom("192.0.2.10:1"))
			for range 20 {
				s.Want(http.StatusOK, c)
			}
			return c
		}, Kind: "rate-limited"},
		"POST /v1/me/claim 500": {Call: apitest.Claiming("user_a"), Fault: apitest.RefusedCommand, Kind: "internal"},
		"POST /v1/me/claim 503": {Call: apitest.Claiming("user_a"), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
	for name, c := range apitest.NotForDevices() {
		all[name+" 403"] = apitest.Scenario{Call: apitest.AsDevice(c), Kind: "forbidden"}
	}
	return all
}

func TestEveryStatusOfDevicesHappens(t *testing.T) { apitest.EachStatus(t, deviceScenarios()) }
