package live

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// mostRecords is how many records a process watches at once.
const mostRecords = 1000

// pollGap bounds the cost of reading records by the clock: 200 reads a second for all records
// together.
const pollGap = 5 * time.Millisecond

// Reading is a record as it was read.
type Reading struct {
	// Show is the record as a player sees it, with "" for a game server. It is nil for a
	// player who may not see the record, or no longer may. It is called concurrently.
	Show func(player string) []byte
	// Until is when the record changes by itself, by the product's clock; zero: never.
	Until time.Time
	Over  bool // the record will not change again
}

// ReadRecord reads one record for all its viewers.
type ReadRecord func(context.Context) (Reading, error)

// RecordOptions are what NewRecords makes Records of. News is for the records' keys.
type RecordOptions struct {
	Now    func() time.Time // the product's clock
	News   News
	Log    *slog.Logger
	Timing Timing
	// Within is the context of all work for viewers; nil: context.Background.
	Within context.Context
}

// Records has the watched records, such as duels: each is small, has few viewers, and is read
// and sent as a whole. It is safe for concurrent use.
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

// NewRecords makes Records. They do nothing until somebody watches a record.
func NewRecords(o RecordOptions) *Records {
	o.Timing = o.Timing.filled()
	if o.Within == nil {
		o.Within = context.Background()
	}
	return &Records{RecordOptions: o, records: map[string]*record{}, closed: make(chan struct{})}
}

// Close ends every stream, and returns when no goroutine of the Records runs any more.
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

// Watch streams the record of a key. The caller reads the record after Watch and passes it to
// [RecordStream.Begin]; no change after the read is missed. Read is called for all viewers of
// the record; Show decides which of them see it. Errors: ErrFull.
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

// Touch makes a record be read again after a change that Redis does not see.
func (r *Records) Touch(key string) { r.heard(key) }

// begin starts to watch a record with its first reading.
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

// forgetIdle makes room by forgetting a record without viewers. The caller holds r.mu.
func (r *Records) forgetIdle() bool {
	for _, one := range r.records {
		if one.idle() {
			r.forget(one)
			return true
		}
	}
	return false
}

// forget stops watching a record. The caller holds r.mu.
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

// leave forgets a record if it still has no viewers.
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

// pace is the time between two reads of a record while changes are not notified.
func (r *Records) pace() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.Timing.Poll, time.Duration(len(r.records))*pollGap)
}

// hears notes whether changes are notified. Ctx is that of the Listen call that says so.
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

// heard passes the news of a key on to its record; an empty key is passed on to all records.
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
