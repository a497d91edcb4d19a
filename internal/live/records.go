package live

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// mostRecords is how many records a process has watched at once.
const mostRecords = 1000

// pollGap bounds what records cost that are read by the clock: 200 reads a second,
// however many there are.
const pollGap = 5 * time.Millisecond

// Reading is a record as it was read.
type Reading struct {
	// Show is the record as a player sees it, empty for a game server; nil for one who
	// may not see it, or not any more. It is called by many at once.
	Show func(player string) []byte
	// Until is when the record changes by itself, by the product's clock; zero: it does
	// not.
	Until time.Time
	Over  bool // it does not change any more
}

// ReadRecord reads one record, whoever watches it.
type ReadRecord func(context.Context) (Reading, error)

// RecordOptions are what Records are made of. News is of the records' keys.
type RecordOptions struct {
	Now    func() time.Time // the product's clock
	News   News
	Log    *slog.Logger
	Timing Timing
	// Within is what everything that is done for viewers is done in; nil: nothing.
	Within context.Context
}

// Records has what is watched that a few have in common, such as a duel: small, read as
// a whole, and told as a whole when it has changed. It is safe for concurrent use.
//
// Cost for each record: 1 read after a change, at most two a second, and 1 a minute.
type Records struct {
	RecordOptions

	mu        sync.Mutex
	records   map[string]*record
	listening context.CancelFunc // nil: nobody watches
	hearing   bool
	running   sync.WaitGroup
	closed    chan struct{}
	isClosed  bool
}

// NewRecords makes Records. They do nothing until somebody watches.
func NewRecords(o RecordOptions) *Records {
	o.Timing = o.Timing.filled()
	if o.Within == nil {
		o.Within = context.Background()
	}
	return &Records{RecordOptions: o, records: map[string]*record{}, closed: make(chan struct{})}
}

// Close ends every stream, and returns when nothing of them runs any more.
func (r *Records) Close() {
	r.mu.Lock()
	if !r.isClosed {
		r.isClosed = true
		close(r.closed)
		for _, one := range r.records {
			one.stop()
		}
		if r.listening != nil {
			r.listening()
		}
	}
	r.mu.Unlock()
	r.running.Wait()
}

// Watch has the record of a key told, from when [RecordStream.Begin] is called with
// it: whoever reads it between the two misses no change. Read is called for all who watch
// it, and whoever is not to see it is for Show to say. Errors: ErrFull.
func (r *Records) Watch(key string, read ReadRecord) (*RecordStream, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isClosed {
		return nil, ErrFull
	}
	one := r.records[key]
	if one == nil {
		if len(r.records) >= mostRecords && !r.forgetIdle() {
			return nil, ErrFull
		}
		one = &record{all: r, key: key, from: read, stop: func() {}, wake: make(chan struct{}, 1), changed: make(chan struct{}), polls: true}
		r.records[key] = one
	}
	return one.join(), nil
}

// Touch has a record read again that has changed by what Redis does not have.
func (r *Records) Touch(key string) { r.heard(key) }

// begin has a record watched that was read.
func (r *Records) begin(one *record, now Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isClosed || !one.begin(now, !r.hearing) {
		return
	}
	if now.Over {
		r.forget(one)
		return
	}
	ctx, stop := context.WithCancel(r.Within)
	one.stop = stop
	r.running.Go(func() { one.run(ctx) })
	if r.listening == nil {
		ctx, cancel := context.WithCancel(r.Within)
		r.listening = cancel
		r.running.Go(func() { r.News.Listen(ctx, r.heard, func(hearing bool) { r.hears(ctx, hearing) }) })
	}
}

// forgetIdle makes room by forgetting a record that nobody watches any more. The lock
// is held.
func (r *Records) forgetIdle() bool {
	for _, one := range r.records {
		if one.idle() {
			r.forget(one)
			return true
		}
	}
	return false
}

// forget stops watching a record. The lock is held.
func (r *Records) forget(one *record) {
	one.stop()
	if r.records[one.key] == one {
		delete(r.records, one.key)
	}
	if len(r.records) == 0 && r.listening != nil {
		r.listening()
		r.listening, r.hearing = nil, false
	}
}

// leave forgets a record if still nobody watches it.
func (r *Records) leave(one *record) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !one.idle() {
		return false
	}
	r.forget(one)
	return true
}

// end forgets a record that is over.
func (r *Records) end(one *record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(one)
}

// pace is how often a record is read while nobody tells of changes.
func (r *Records) pace() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.Timing.Poll, time.Duration(len(r.records))*pollGap)
}

// hears notes whether changes are told. Ctx is that of the listening which says so.
func (r *Records) hears(ctx context.Context, hearing bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil || r.hearing == hearing {
		return
	}
	r.hearing = hearing
	for _, one := range r.records {
		one.poll(!hearing)
	}
	r.Log.Info("live records", slog.Bool("told_of_changes", hearing))
}

// heard passes the news of a record on to it; that of no key to all.
func (r *Records) heard(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key == "" {
		for _, one := range r.records {
			one.touch()
		}
	} else if one := r.records[key]; one != nil {
		one.touch()
	}
}
