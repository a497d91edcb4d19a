package local

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/product/app"
)

// lastWriteTime bounds the last write of the counters.
const lastWriteTime = 2 * time.Second

// keepCounters makes each function count what its days cost, as in a deployment, and write
// the rest at the end.
func (p *Product) keepCounters(a *app.App) {
	for _, f := range p.functions {
		watch := a.Watch(f.name)
		if f.handler != nil {
			f.handler = watch.Handler(f.handler)
		}
		if f.run != nil {
			f.run = watch.Scheduled(f.run)
		}
		p.watches = append(p.watches, watch)
	}
}

func (p *Product) closeCounters(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWriteTime)
	defer cancel()
	var errs []error
	for _, w := range p.watches {
		errs = append(errs, w.Close(ctx))
	}
	return errors.Join(errs...)
}
