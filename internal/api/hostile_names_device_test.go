package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
)

// doorOfADevice types a name on a device that has played.
func doorOfADevice(s *apitest.Stack, typed func(c apitest.Call, player string) string) func(text string) string {
	return func(text string) string {
		device := s.Device()
		s.Want(http.StatusCreated, apitest.Submission("daily", 500, device.Player).Bearer(device.Token))
		return typed(apitest.Patch(apitest.Myself, `{"name":"`+text+`"}`).Bearer(device.Token), device.Player)
	}
}
