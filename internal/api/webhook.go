package api

import (
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

// wholeEvent reads the body of a message from Clerk.
var wholeEvent = gate.BodyRule{Most: webhook.MaxBody}

// webhooks are the endpoints that other services send messages to.
type webhooks struct {
	*API
	news *clerk.Roster
}

// routes are the routes of messages from other services.
func (h webhooks) routes() []route.Route {
	return []route.Route{
		{Function: "webhook", Pattern: "POST /v1/webhooks/clerk", Auth: gate.Clerk, Body: wholeEvent,
			Steady: 2, BlockedInMaintenance: true, Serve: h.postClerk},
	}
}

// receivedAnswer says that the message was received and must not be sent again.
type receivedAnswer struct {
	Received bool `json:"received"`
}

// postClerk takes a message of Clerk: POST /v1/webhooks/clerk.
func (h webhooks) postClerk(w http.ResponseWriter, r *gate.Request) error {
	event, err := webhook.Parse(r.Sent)
	if errors.Is(err, webhook.ErrMalformed) {
		return problem.BadRequest(err.Error())
	}
	if err != nil {
		return err
	}
	if err := h.Notices.MayWrite(r.Context()); err != nil {
		return err // Clerk sends it again
	}
	if err := h.news.Apply(r.Context(), webhook.HeadersOf(r.Header).ID, event); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, receivedAnswer{true})
}
