package usage

import (
	"context"
	"sync"
)

// outlasting is a request whose answer goes on after its handler has returned: it is
// recorded when both have ended.
type outlasting struct {
	mu     sync.Mutex
	on     bool
	over   bool
	bytes  int64
	record func(bytes int64)
}

// Outlasts has the request that is called with this context recorded when end is
// called, and not when its handler returns; bytes are what was answered past the
// handler's writer. End is called once.
func Outlasts(ctx context.Context) (end func(bytes int64)) {
	t, ok := ctx.Value(tallyKey{}).(*tally)
	if !ok {
		return func(int64) {}
	}
	o := &t.outlasts
	o.mu.Lock()
	defer o.mu.Unlock()
	o.on = true
	return o.end
}

func (o *outlasting) end(bytes int64) {
	o.mu.Lock()
	o.over, o.bytes = true, bytes
	record := o.record
	o.mu.Unlock()
	if record != nil {
		record(bytes)
	}
}

// returned has the handler's return noted. It records at once where nothing goes on.
func (o *outlasting) returned(record func(bytes int64)) {
	o.mu.Lock()
	if o.on && !o.over {
		o.record = record
		o.mu.Unlock()
		return
	}
	o.mu.Unlock()
	record(o.bytes)
}
