package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// killWithin is how many requests to Redis a run may make before it is cut off.
const killWithin = 400

// quiet is how long Redis must get no request before a run counts as ended.
const quiet = 50 * time.Millisecond

// refusal is a fault after which a run does not retry, so that the run ends at once.
var refusal = upstashtest.Fault{Status: http.StatusUnauthorized, Body: `{"error":"WRONGPASS invalid or missing auth token"}`}

// kill starts a scheduled function and cuts it off from Redis after a random number of
// requests. The last of these has its effect in half of the cases. In half of the runs
// the function's caller goes away at the same moment, as when a host stops a function.
func (r *run) kill(ctx context.Context, function string, rng *rand.Rand) error {
	after := int64(1 + rng.IntN(1+rng.IntN(killWithin)))
	effect, stopped := rng.IntN(2) == 0, rng.IntN(2) == 0
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var seen, last atomic.Int64
	r.Product.Upstash.Inject(func(upstashtest.Request) upstashtest.Fault {
		last.Store(time.Now().UnixNano())
		n := seen.Add(1)
		if n < after {
			return upstashtest.Fault{}
		}
		if stopped {
			cancel()
		}
		if n > after {
			return refusal
		}
		return upstashtest.Fault{CutBefore: !effect, CutAfter: effect}
	})
	defer r.Product.Upstash.Inject(nil)
	_, err := r.schedule(inner, function, time.Time{})
	if inner.Err() != nil {
		err = ctx.Err()
		for time.Since(time.Unix(0, last.Load())) < quiet {
			if err := wait.Sleep(ctx, quiet); err != nil {
				return err
			}
		}
	}
	if seen.Load() >= after {
		r.report.Killed++
	}
	if err != nil {
		return err
	}
	r.Product.Upstash.Inject(nil)
	return r.awake(ctx)
}

// awake waits until the product has noticed that Redis is available again.
func (r *run) awake(ctx context.Context) error {
	for range sendTries {
		a, err := r.calls.Call(ctx, caller.Nobody, http.MethodGet, "/v1/leaderboards/xp?limit=1", nil)
		if err != nil || a.Status == http.StatusOK {
			return err
		}
		if err := wait.Sleep(ctx, 2*quiet); err != nil {
			return err
		}
	}
	return errors.New("the product does not come back after Redis has")
}
