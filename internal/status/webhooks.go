package status

import (
	"context"
	"time"
)

// Webhook is how it goes with telling one endpoint of one kind of event.
type Webhook struct {
	Endpoint string `json:"endpoint"`
	Event    string `json:"event"`
	Waiting  int64  `json:"waiting"` // not told yet
	Dead     int64  `json:"dead"`    // given up
	Failures int64  `json:"failures"`
	Error    string `json:"error"` // of the last failure; empty for none
	// Oldest is since when the first that waits does; null: none waits.
	Oldest *time.Time `json:"oldest"`
}

// slowWebhook is how long something may wait: two runs of the rarest plan that
// template.yaml has.
const slowWebhook = 9 * time.Hour

// webhooks looks how telling others goes, where the game has others told.
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
			s.problem("see that it answers, then lbctl webhooks resend: docs/webhooks-out.md, When an endpoint fails", "%s was not told of %d %s, which are not tried again", w.Endpoint, w.Dead, w.Event)
		case w.Failures > 0:
			s.problem("see that it answers; it is tried again by itself: docs/webhooks-out.md, When an endpoint fails", "%s does not take %s, and %d wait: %s", w.Endpoint, w.Event, w.Waiting, w.Error)
		case w.Oldest != nil && s.Now.Sub(*w.Oldest) > slowWebhook:
			s.problem("see that WEBHOOK_SECRETS is set where the schedules run: docs/webhooks-out.md", "nobody tells %s of %s, and %d wait", w.Endpoint, w.Event, w.Waiting)
		}
	}
}
