package clerk

import (
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

// wholeEvent reads the body of a message from Clerk.
var wholeEvent = gate.BodyRule{Most: webhook.MaxBody}

// Endpoints have the endpoint that takes messages of Clerk.
type Endpoints struct {
	Notices *control.Notices
	Roster  *Roster
}

// Routes are the routes of Clerk's messages.
func (h Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "webhook", Pattern: "POST /v1/webhooks/clerk", Auth: gate.Clerk, Body: wholeEvent,
			Steady: 2, BlockedInMaintenance: true, Serve: h.PostClerk},
	}
}

// receivedAnswer says that the message was received and must not be sent again.
type receivedAnswer struct {
	Received bool `json:"received"`
}

// PostClerk takes a message of Clerk: POST /v1/webhooks/clerk.
func (h Endpoints) PostClerk(w http.ResponseWriter, r *gate.Request) error {
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
	if err := h.Roster.Apply(r.Context(), webhook.HeadersOf(r.Header).ID, event); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, receivedAnswer{true})
}
