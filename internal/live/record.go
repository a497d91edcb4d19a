package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// record is one that is or was watched lately.
type record struct {
	all  *Records
	key  string
	from ReadRecord
	stop context.CancelFunc
	wake chan struct{} // something has to be looked at

	mu       sync.Mutex
	changed  chan struct{} // closed, and made anew, when viewers are told something
	now      *Reading      // nil: it has not been read, and is not until then
	version  int64         // how often it was read
	viewers  int
	left     time.Time // when the last viewer left
	dirty    bool      // it has changed since it was read
	polls    bool      // nobody tells of changes
	readAt   time.Time // when the last read began
	failures int       // in a row
	over     bool      // nothing more is told
}

func (r *record) join() *RecordStream {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.viewers++
	r.nudge()
	return &RecordStream{record: r}
}

// begin takes the first reading in. It reports whether there was none before.
func (r *record) begin(now Reading, polls bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil {
		if r.dirty || r.polls { // it is read again soon, and what came meanwhile is newer than what is here
			r.now, r.dirty = &now, true
			r.version++
			r.tell()
		}
		return false
	}
	r.now, r.version, r.readAt = &now, 1, time.Now()
	r.polls, r.over = polls, now.Over
	r.tell()
	return true
}

func (r *record) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.viewers == 0
}

// nudge has the record's own loop look at what is due. The lock is held.
func (r *record) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *record) touch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dirty = true
	r.nudge()
}

// poll has the record read by the clock, or only when it has changed. What has changed
// in between nobody has told.
func (r *record) poll(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.polls, r.dirty = on, true
	r.nudge()
}

// run reads the record when that is due, until it is over, nobody has watched for a
// while, or ctx ends.
func (r *record) run(ctx context.Context) {
	defer func() {
		if broken := recover(); broken != nil { // whoever else is served in this process is to notice nothing
			r.all.Log.Error("a live record has failed", slog.String("record", r.key), slog.String("error", fmt.Sprint(broken)))
			r.finish()
		}
	}()
	timing := r.all.Timing
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		now := time.Now()
		at, watched := r.due(r.all.pace())
		switch {
		case now.Before(at):
			timer.Reset(min(timing.Pulse, at.Sub(now)))
			select {
			case <-ctx.Done():
			case <-r.wake:
			case <-timer.C:
			}
		case watched:
			if r.read(ctx) {
				r.finish()
				return
			}
		case r.all.leave(r):
			return
		}
	}
}

// due is when the record is to be read next; where nobody watches, forgotten.
func (r *record) due(pace time.Duration) (at time.Time, watched bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	timing := r.all.Timing
	if r.viewers == 0 {
		return r.left.Add(timing.Linger), false
	}
	if r.failures > 0 {
		return r.readAt.Add(min(time.Duration(r.failures)*timing.Pulse, mostBackoff)), true
	}
	at = r.readAt.Add(timing.Sure) // Redis does not tell of a key that was lost with all others
	if r.polls {
		at = r.readAt.Add(pace)
	}
	soonest := r.readAt.Add(timing.Gap)
	if r.dirty {
		at = soonest
	}
	if !r.now.Until.IsZero() {
		// A time is over when its millisecond is.
		if ends := time.Now().Add(r.now.Until.Add(time.Millisecond).Sub(r.all.Now())); ends.Before(at) {
			at = later(ends, soonest)
		}
	}
	return at, true
}

// read reads the record, and tells its viewers. It reports whether it is over.
func (r *record) read(ctx context.Context) (over bool) {
	r.mu.Lock()
	r.readAt, r.dirty = time.Now(), false
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	now, err := r.from(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.dirty = true
		if r.failures++; r.failures == 1 {
			r.all.Log.Warn("a live record cannot be read", slog.String("record", r.key), slog.String("error", err.Error()))
			r.tell()
		}
		return false
	}
	r.now, r.failures = &now, 0
	r.version++
	r.tell()
	return now.Over
}

// tell wakes all viewers. The lock is held.
func (r *record) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// finish ends the record's streams.
func (r *record) finish() {
	r.mu.Lock()
	r.over = true
	r.tell()
	r.mu.Unlock()
	r.all.end(r)
}

// RecordStream is one viewer's. It is for one goroutine.
type RecordStream struct {
	record  *record
	version int64 // that the viewer was told
	stale   bool  // and that this is all there is
	left    bool
}

// Begin has the stream told what the record was when it was read, and then its
// changes. It is to be called once for each stream, and needs no reading of its own
// where another viewer's was before.
func (s *RecordStream) Begin(now Reading) { s.record.all.begin(s.record, now) }

// RecordNews is what a viewer is told of a record.
type RecordNews struct {
	Now   *Reading // nil: as it was
	Stale bool     // Redis does not answer; what was told last is as good as it gets
	Over  bool     // nothing follows
}

// Take is what the viewer has not been told, and what says that there is more.
func (s *RecordStream) Take() (news RecordNews, more <-chan struct{}) {
	r := s.record
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && r.version != s.version {
		news.Now, s.version = r.now, r.version
	}
	news.Stale = r.failures > 0 && !s.stale
	s.stale, news.Over = r.failures > 0, r.over
	return news, r.changed
}

// Done is closed when the records close: then the stream is to end.
func (s *RecordStream) Done() <-chan struct{} { return s.record.all.closed }

// Close ends the stream. It may be called twice.
func (s *RecordStream) Close() {
	if s.left {
		return
	}
	s.left = true
	r := s.record
	r.mu.Lock()
	r.viewers--
	r.left = time.Now()
	unread := r.now == nil
	r.mu.Unlock()
	if unread {
		r.all.leave(r) // it was not there to be read
	}
}
