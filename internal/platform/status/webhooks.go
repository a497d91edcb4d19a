package status

import (
	"context"
	"time"
)

// Webhook is the state of sending one kind of event to one endpoint.
type Webhook struct {
	Endpoint string `json:"endpoint"`
	Event    string `json:"event"`
	Waiting  int64  `json:"waiting"` // not sent yet
	Dead     int64  `json:"dead"`    // given up
	Failures int64  `json:"failures"`
	Error    string `json:"error"` // the last failure; empty for none
	// Oldest is since when the oldest event waits; null: none waits.
	Oldest *time.Time `json:"oldest"`
}

// slowWebhook is how long an event may wait: two runs of the rarest plan in template.yaml.
const slowWebhook = 9 * time.Hour

// webhooks checks the webhooks that the game sends, if any.
func (r *Reporter) webhooks(ctx context.Context, s *Status) {
	if r.Webhooks == nil || s.Database.State != "ok" {
		return
	}
	var err error
	if s.Webhooks, err = r.Webhooks(ctx); err != nil {
		s.failed(err)
		return
	}
	for _, w := range s.Webhooks {
		switch {
		case w.Dead > 0:
			s.problem("see that it answers, then lbctl webhooks resend: docs/build/webhooks-out.md, Failed deliveries", "%s was not told of %d %s, which are not tried again", w.Endpoint, w.Dead, w.Event)
		case w.Failures > 0:
			s.problem("see that it answers; it is tried again by itself: docs/build/webhooks-out.md, Failed deliveries", "%s does not take %s, and %d wait: %s", w.Endpoint, w.Event, w.Waiting, w.Error)
		case w.Oldest != nil && s.Now.Sub(*w.Oldest) > slowWebhook:
			s.problem("see that WEBHOOK_SECRETS is set where the schedules run: docs/build/webhooks-out.md", "nobody tells %s of %s, and %d wait", w.Endpoint, w.Event, w.Waiting)
		}
	}
}
