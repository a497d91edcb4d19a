package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/problem"
)

// wholeEvent reads the body of a message from Clerk.
var wholeEvent = gate.BodyRule{Most: webhook.MaxBody}

// News applies the messages of the Clerk instance, each once.
type News interface {
	Apply(ctx context.Context, message string, event webhook.Event) error
}

// Groups knows members of groups that session tokens do not name.
type Groups interface {
	Has(ctx context.Context, player string, groups []string) (bool, error)
}

// webhooks are the endpoints that other services send messages to.
type webhooks struct {
	writable gate.Writable
	news     News
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
	if err := h.writable.MayWrite(r.Context()); err != nil {
		return err // Clerk sends it again
	}
	if err := h.news.Apply(r.Context(), webhook.HeadersOf(r.Header).ID, event); err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, receivedAnswer{true})
}
