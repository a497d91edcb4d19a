package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// record is a record that is watched, or was until lately.
type record struct {
	all  *Records
	key  string
	from ReadRecord
	stop context.CancelFunc
	wake chan struct{} // signals run to check what is due

	mu       sync.Mutex
	changed  chan struct{} // closed, and replaced, when viewers get something new
	now      *Reading      // nil until begin
	version  int64         // number of reads so far
	viewers  int
	left     time.Time // when the last viewer left
	dirty    bool      // the record has changed since the read
	polls    bool      // changes are not notified
	readAt   time.Time // when the last read began
	failures int       // in a row
	over     bool      // the streams have ended
}

func (r *record) join() *RecordStream {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.viewers++
	r.nudge()
	return &RecordStream{record: r}
}

// begin takes the first reading. It reports whether there was none before.
func (r *record) begin(now Reading, polls bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil {
		if r.dirty || r.polls { // it will be read again soon, and this reading is newer than the one here
			r.now, r.dirty = &now, true
			r.version++
			r.notify()
		}
		return false
	}
	r.now, r.version, r.readAt = &now, 1, time.Now()
	r.polls, r.over = polls, now.Over
	r.notify()
	return true
}

func (r *record) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.viewers == 0
}

// nudge wakes the record's loop. The caller holds r.mu.
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

// poll switches between reading by the clock and reading after notifications. It marks the
// record as changed, because changes in between were not notified.
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
		if broken := recover(); broken != nil { // a failed record must not fail other requests in this process
			r.all.Log.Error("a live record has failed", slog.String("record", r.key), slog.String("error", fmt.Sprint(broken)))
			r.finish()
		}
	}()
	timing := r.all.Timing
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		now := time.Now()
		at, watched := r.nextRead(r.all.pace())
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

// nextRead is when to read the record next or, without viewers, when to forget it.
func (r *record) nextRead(pace time.Duration) (at time.Time, watched bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	timing := r.all.Timing
	if r.viewers == 0 {
		return r.left.Add(timing.Linger), false
	}
	if r.failures > 0 {
		return r.readAt.Add(min(time.Duration(r.failures)*timing.Pulse, mostBackoff)), true
	}
	at = r.readAt.Add(timing.Sure) // Redis does not notify if all keys were lost
	if r.polls {
		at = r.readAt.Add(pace)
	}
	soonest := r.readAt.Add(timing.Gap)
	if r.dirty {
		at = soonest
	}
	if !r.now.Until.IsZero() {
		// Until is over one millisecond later, as everywhere.
		if ends := time.Now().Add(r.now.Until.Add(time.Millisecond).Sub(r.all.Now())); ends.Before(at) {
			at = later(ends, soonest)
		}
	}
	return at, true
}

// read reads the record, and wakes its viewers. It reports whether the record is over.
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
			r.notify()
		}
		return false
	}
	r.now, r.failures = &now, 0
	r.version++
	r.notify()
	return now.Over
}

// notify wakes all viewers. The caller holds r.mu.
func (r *record) notify() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// finish ends the streams of the record.
func (r *record) finish() {
	r.mu.Lock()
	r.over = true
	r.notify()
	r.mu.Unlock()
	r.all.end(r)
}

// RecordStream is the stream of one viewer. It is for one goroutine.
type RecordStream struct {
	record  *record
	version int64 // the version that the viewer has received
	stale   bool  // the viewer knows that Redis does not answer
	left    bool
}

// Begin starts the stream with a reading of the record. It has to be called once for each
// stream. If another viewer's stream has begun before, any earlier reading may be passed.
func (s *RecordStream) Begin(now Reading) { s.record.all.begin(s.record, now) }

// RecordNews is what is new of a record for a viewer.
type RecordNews struct {
	Now   *Reading // nil: nothing has changed
	Stale bool     // Redis does not answer; viewers have the last known state
	Over  bool     // no more news follow
}

// Take returns what is new for the viewer, and a channel that is closed when there is more.
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

// Done is closed when the Records close; the caller then has to end the stream.
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
		r.all.leave(r) // it was never read
	}
}
