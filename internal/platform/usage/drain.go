package usage

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Drain writes the last 3 days that are over to the archive. In Redis it sets the expiry of
// their counters. It may run any number of times.
//
// Cost: 2 round trips; 3 billed commands, and 2 for each day that it has not seen
// before; 2 queries.
func (l *Ledger) Drain(ctx context.Context, today game.Date) error {
	days, err := l.read(ctx, today.AddDays(-lateDays), today.AddDays(-1))
	if err != nil {
		return err
	}
	days = slices.DeleteFunc(days, func(d counted) bool { return len(d.ByFunction) == 0 })
	stay := aloneDays
	if l.archive != nil && len(days) > 0 {
		stay = drainedDays
		whole := make([]Day, len(days))
		for i, d := range days {
			whole[i] = d.Day
		}
		if err := l.archive.KeepUsage(ctx, whole); err != nil {
			return fmt.Errorf("archive the usage of days: %w", err)
		}
	}
	var forget []upstash.Command
	for _, d := range days {
		// The expiry comes before drainedField, so that no hash has the field without an expiry.
		if !d.drained {
			at := d.Date.AddDays(stay).Midnight().Unix()
			forget = append(forget, upstash.Cmd("EXPIREAT", Key(d.Date), strconv.FormatInt(at, 10)).Idempotent(),
				upstash.Cmd("HSET", Key(d.Date), drainedField, Count{}.String()).Idempotent()) // versions before read it as a count
		}
	}
	result, err := l.redis.Pipeline(ctx, forget...)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return fmt.Errorf("have Redis forget the usage of days: %w", err)
	}
	return nil
}

// Ongoing is the route of work for viewers of live boards.
const Ongoing = "live"

// Ongoing meters the work that a process does for viewers outside any request: everything that
// is done with the returned context. Tell records what that work has cost since tell was last
// called, as one call; if it has cost nothing, tell records nothing. Only one goroutine may
// call tell.
func (w *Watch) Ongoing(ctx context.Context) (within context.Context, tell func()) {
	meter, began := new(upstash.Meter), w.Now()
	var got upstash.Usage
	within = upstash.WithMeter(ctx, meter)
	return within, func() {
		spent := meter.Usage()
		if spent.RoundTrips == got.RoundTrips {
			return
		}
		now := w.Now()
		w.record(ctx, Call{
			Route: Ongoing, Caller: Caller{Kind: Viewers}, Status: http.StatusOK,
			Commands: spent.Commands - got.Commands, RoundTrips: spent.RoundTrips - got.RoundTrips,
			Sent: spent.BytesSent - got.BytesSent, Received: spent.BytesReceived - got.BytesReceived,
		}, began)
		got, began = spent, now
	}
}

// outlasting is a request whose answer may go on after its handler has returned. The request
// is recorded when both have ended.
type outlasting struct {
	mu        sync.Mutex
	continues bool
	record    func()
}

// Outlasts keeps the request of this context from being recorded before end is called. The
// caller calls end once.
func Outlasts(ctx context.Context) (end func()) {
	t, ok := ctx.Value(tallyKey{}).(*tally)
	if !ok {
		return func() {}
	}
	o := &t.outlasts
	o.mu.Lock()
	defer o.mu.Unlock()
	o.continues = true
	return o.end
}

func (o *outlasting) end() {
	o.mu.Lock()
	o.continues = false
	record := o.record
	o.mu.Unlock()
	if record != nil {
		record()
	}
}

// returned notes that the handler has returned. It calls record now, unless the answer
// continues.
func (o *outlasting) returned(record func()) {
	o.mu.Lock()
	continues := o.continues
	if continues {
		o.record = record
	}
	o.mu.Unlock()
	if !continues {
		record()
	}
}
