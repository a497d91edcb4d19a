package costday

import (
	"context"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/upstash"
)

// ingest makes an environment write the messages of a batch. Every score of them must be
// written.
func (d *deployment) ingest(ctx context.Context, messages []host.QueueMessage) error {
	e, err := d.take(functionIngest)
	if err != nil {
		return err
	}
	in, watch := e.app.Ingest(), e.watches[functionIngest]
	return d.to.metered(ctx, routeIngest, func(ctx context.Context, inner *upstash.Meter) error {
		_, err := watch.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
			failed, err := in.Take(upstash.WithMeter(ctx, inner), messages)
			if err == nil && len(failed) > 0 {
				err = fmt.Errorf("%d of %d queued scores could not be written", len(failed), len(messages))
			}
			return nil, err
		})(ctx, time.Time{})
		return err
	})
}
