package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
)

// clerkDoor tells a name of somebody who has entered by a webhook.
func clerkDoor(s *apitest.Stack, enter func() string) func(text string) string {
	return func(text string) string {
		player := enter()
		s.Want(http.StatusOK, s.ClerkMessage(fmt.Sprint("msg_", player), apitest.UserSaved(player, text, 5)))
		return s.NameOf(player)
	}
}
