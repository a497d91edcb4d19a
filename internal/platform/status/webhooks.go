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
			s.problem("fix the endpoint, then run lbctl webhooks resend: docs/build/webhooks-out.md, Failed deliveries", "deliveries of %s to %s that failed permanently: %d", w.Event, w.Endpoint, w.Dead)
		case w.Failures > 0:
			s.problem("fix the endpoint; retries are automatic: docs/build/webhooks-out.md, Failed deliveries", "deliveries of %s to %s are failing, %d pending: %s", w.Event, w.Endpoint, w.Waiting, w.Error)
		case w.Oldest != nil && s.Now.Sub(*w.Oldest) > slowWebhook:
			s.problem("set WEBHOOK_SECRETS where the schedules run: docs/build/webhooks-out.md", "deliveries of %s to %s are not sent, %d pending", w.Event, w.Endpoint, w.Waiting)
		}
	}
}
