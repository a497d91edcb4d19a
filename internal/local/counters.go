package local

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/usage"
)

// lastWriteTime bounds the counters' last write.
const lastWriteTime = 2 * time.Second

// keepCounters has each function count what its days cost, as deployed ones do,
// and sees to it that what is left is written at the end.
func (p *Product) keepCounters(a *app.App) {
	for _, f := range p.functions {
		watch := usage.New(usage.Options{
			Function: f.name, Now: p.Clock.Now, Counters: usage.NewCounters(a.Redis(), f.name, rand.Text()),
			Budget: a.Guard(),
		})
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
