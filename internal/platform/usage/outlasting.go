package usage

import (
	"context"
	"sync"
)

// outlasting is a request whose answer may go on after its handler has returned. The request
// is recorded when both have ended.
type outlasting struct {
	mu     sync.Mutex
	goesOn bool
	record func()
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
	o.goesOn = true
	return o.end
}

func (o *outlasting) end() {
	o.mu.Lock()
	o.goesOn = false
	record := o.record
	o.mu.Unlock()
	if record != nil {
		record()
	}
}

// returned notes that the handler has returned. It calls record now, unless the answer goes
// on.
func (o *outlasting) returned(record func()) {
	o.mu.Lock()
	goesOn := o.goesOn
	if goesOn {
		o.record = record
	}
	o.mu.Unlock()
	if !goesOn {
		record()
	}
}
