package apitest

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

const deviceKey = "a-device-key-of-32-or-more-characters"

func devices(s *Stack) *auth.Devices {
	d, err := auth.NewDevices([]string{deviceKey})
	require.NoError(s, err)
	return d
}

type DeviceBody struct{ Player, Token string }

// Device is a new anonymous player, as POST /v1/devices makes one: it keeps nothing of them.
func (s *Stack) Device() DeviceBody {
	s.Helper()
	d, err := devices(s).Issue(rand.Reader)
	require.NoError(s, err)
	return DeviceBody{d.ID, d.Token}
}

func (s *Stack) Claim(d DeviceBody) Call {
	return Post(ClaimPath, fmt.Sprintf(`{"device_token":%q}`, d.Token))
}

// Submission is a score of one mode, under an idempotency key.
func Submission(mode string, score int, key string) Call {
	return Post(Scores, fmt.Sprintf(`{"mode":%q,"score":%d}`, mode, score)).With("Idempotency-Key", key)
}

const (
	DevicesPath = "/v1/devices"
	ClaimPath   = "/v1/me/claim"
)

// AsDevice has a new device make a call.
func AsDevice(c Call) func(*Stack) Call {
	return func(s *Stack) Call { return c.Bearer(s.Device().Token) }
}

// Claiming has a player claim a new device.
func Claiming(player string) func(*Stack) Call {
	return func(s *Stack) Call { return s.As(player, s.Claim(s.Device())) }
}

// Named is a stack of a game whose devices may take names.
func Named(t *testing.T, database bool) *Stack {
	s := NewStack(t)
	s.Game = strings.Replace(TestGame, "anonymous: true", "anonymous: true\ndevices: {names: true}", 1)
	if database {
		s.Keep()
	}
	s.Handler = s.Process()
	return s
}

// Shown is the name of a device on the day's board, to a process that knew none.
func (s *Stack) Shown(player string) string { return s.NameOf(player) }

// NotForDevices are requests that devices may not make, one for each operation whose status 403
// means that.
func NotForDevices() map[string]Call {
	return map[string]Call{
		"PATCH /v1/me":                              Patch(Myself, `{"country":"PT"}`),
		"DELETE /v1/me":                             {Method: http.MethodDelete, Target: Myself},
		"GET /v1/leaderboards/{mode}/friends":       Get(Daily + "/friends"),
		"GET /v1/friends":                           Get("/v1/friends"),
		"POST /v1/friends/requests":                 Post(RequestsPath, `{"player":"user_b"}`),
		"POST /v1/friends/requests/{player}/accept": Post(RequestsPath+"/user_b/accept", ""),
		"DELETE /v1/friends/requests/{player}":      {Method: http.MethodDelete, Target: RequestsPath + "/user_b"},
		"DELETE /v1/friends/{player}":               {Method: http.MethodDelete, Target: "/v1/friends/user_b"},
		"PUT /v1/friends/blocks/{player}":           {Method: http.MethodPut, Target: "/v1/friends/blocks/user_b"},
		"DELETE /v1/friends/blocks/{player}":        {Method: http.MethodDelete, Target: "/v1/friends/blocks/user_b"},
		"POST /v1/friends/invites":                  Post(InvitesPath, ""),
		"GET /v1/friends/invites/{code}":            Get(InvitesPath + "/abcdefghijkl"),
		"POST /v1/friends/invites/{code}/accept":    Post(InvitesPath+"/abcdefghijkl/accept", ""),
		"DELETE /v1/duels/queue":                    {Method: http.MethodDelete, Target: "/v1/duels/queue"},
		"GET /v1/live/duels/{id}":                   Get("/v1/live/duels/abc"),
		"GET /v1/duels/{id}":                        Get("/v1/duels/abc"),
		"GET /v1/live/races/{id}":                   Get("/v1/live/races/abc"),
		"GET /v1/races/{id}":                        Get(RacesAt + "/abc"),
		"DELETE /v1/races/queue":                    Remove(RaceQueueAt, ""),
		"POST /v1/duels/{id}/result":                Post("/v1/duels/abc/result", `{"winner":"user_a"}`),
	}
}
