package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	// readTime bounds one read of a board.
	readTime = 5 * time.Second
	// mostBackoff is the longest wait before Redis is asked again that did not answer.
	mostBackoff = 5 * time.Second
)

// watched is one board that is or was watched lately.
type watched struct {
	hub   *Hub
	board game.Board
	stop  context.CancelFunc
	wake  chan struct{} // something has to be looked at

	mu       sync.Mutex
	views    map[int64]*history
	streams  map[*Stream]struct{} // of all who watch
	left     time.Time            // when the last viewer left
	dirty    bool                 // the board itself has changed since it was read,
	dirtyAt  time.Time            // since then; zero: it has not been read yet
	sourceAt time.Time            // when a board that this one is made of has changed last; zero: all of it was read
	polls    bool                 // nobody tells of changes
	readAt   time.Time            // when the last read began
	total    int64
	large    bool      // it has more players than are read, so that they cost a command to count;
	counted  time.Time // when they were last,
	owed     bool      // and they may be others since
	failures int       // in a row
	over     bool      // nothing more is told: the period has ended, and each view has its final page, or the hub has
}

// join adds a viewer.
func (w *watched) join(limit int64, from string, wake func()) *Stream {
	w.mu.Lock()
	defer w.mu.Unlock()
	view := w.views[limit]
	if view == nil {
		view = &history{limit: limit, epoch: newEpoch()}
		for _, other := range w.views {
			if other.whole != nil && (other.limit >= limit || !other.whole.Page.More) {
				view.tell(other.whole.Page, false)
				break
			}
		}
		w.dirty = w.dirty || view.whole == nil
		w.views[limit] = view
	}
	s := &Stream{board: w, view: view, wake: wake, version: parseID(view.epoch, from)}
	w.streams[s] = struct{}{}
	view.viewers++
	w.nudge()
	return s
}

func (w *watched) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.streams) == 0
}

// nudge has the board's own loop look at what is due. The lock is held.
func (w *watched) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *watched) touch() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.dirty {
		w.dirty, w.dirtyAt = true, time.Now()
	}
	w.nudge()
}

func (w *watched) touchSource() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sourceAt = time.Now()
	w.nudge()
}

// poll has the board read by the clock, or only when it has changed. What has
// changed in between nobody has told.
func (w *watched) poll(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.polls = on
	w.missed()
}

// doubt has the board looked at: it may have changed while nobody told.
func (w *watched) doubt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.missed()
}

// missed is doubt. The lock is held.
func (w *watched) missed() {
	w.dirty = true
	if w.board.Derived() { // what it is made of may have changed as well
		w.sourceAt = time.Now()
	}
	w.nudge()
}

// run reads the board when that is due, until its period ends, nobody has watched for
// a while, or ctx ends.
func (w *watched) run(ctx context.Context) {
	defer func() {
		if broken := recover(); broken != nil { // whoever submits in this process is to notice nothing
			w.fail(broken)
		}
	}()
	timing := w.hub.Timing
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		now := time.Now()
		what, at, watchedNow, left := w.due()
		switch {
		case !watchedNow && !now.Before(left.Add(timing.Linger)):
			if w.hub.leave(w) {
				return
			}
			continue
		case !watchedNow:
			timer.Reset(left.Add(timing.Linger).Sub(now))
		case w.hub.Game.Closed(w.board.Period, w.hub.Now()):
			if w.finish(ctx) {
				return
			}
			timer.Reset(timing.Pulse)
		case !now.Before(at):
			if what == countDue {
				w.count(ctx)
			} else {
				w.read(ctx)
			}
			continue
		default:
			timer.Reset(min(timing.Pulse, at.Sub(now)))
		}
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-timer.C:
		}
	}
}

// What a board is asked for.
const (
	readDue  = iota // its first rows
	countDue        // how many players it has, and no more
)

// due is what is asked for next and when, where anybody watches; and otherwise since
// when not.
func (w *watched) due() (what int, at time.Time, watchedNow bool, left time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.streams) == 0 {
		return readDue, time.Time{}, false, w.left
	}
	timing, every := w.hub.Timing, w.hub.Reader.Every(w.board)
	gap := timing.Gap
	if w.large {
		gap = timing.LargeGap
	}
	at = w.readAt.Add(timing.Sure) // Redis does not tell of a key that was lost with all others
	sooner := func(t time.Time) {
		if t.Before(at) {
			at = t
		}
	}
	if w.dirty {
		sooner(later(w.readAt.Add(gap), w.dirtyAt.Add(timing.Settle)))
	}
	if w.polls {
		sooner(w.readAt.Add(max(timing.Poll, every)))
	}
	switch {
	case w.sourceAt.IsZero():
	case w.readAt.Before(w.sourceAt):
		sooner(w.readAt.Add(max(timing.Gap, every)))
	default:
		// Another process may have refreshed the board just before the change.
		sooner(w.sourceAt.Add(max(timing.Gap, every)))
	}
	if w.failures > 0 {
		return readDue, w.readAt.Add(min(time.Duration(w.failures)*timing.Pulse, mostBackoff)), true, time.Time{}
	}
	if counted := w.counted.Add(timing.Count); w.owed && counted.Before(at) {
		return countDue, counted, true, time.Time{}
	}
	return readDue, at, true, time.Time{}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// begin notes that a read begins: what is told from now on needs another one.
func (w *watched) begin() (limit, total int64, count bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readAt, w.dirty = time.Now(), false
	if !w.sourceAt.IsZero() && !w.readAt.Before(w.sourceAt.Add(w.hub.Reader.Every(w.board))) {
		w.sourceAt = time.Time{}
	}
	for views := range w.views {
		limit = max(limit, views)
	}
	if count = !w.large || w.readAt.Sub(w.counted) >= w.hub.Timing.Count; count {
		w.counted = w.readAt
	}
	w.owed = !count
	return limit, w.total, count
}

// read reads the board and tells its viewers.
func (w *watched) read(ctx context.Context) {
	limit, total, count := w.begin()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	page, err := w.hub.Reader.Top(ctx, w.board, limit, total, count)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.failed(err)
		return
	}
	told := false
	for limit, view := range w.views {
		if view.viewers == 0 && time.Since(view.left) >= w.hub.Timing.Linger {
			delete(w.views, limit)
			continue
		}
		told = view.tell(page, w.failures > 0) || told
	}
	w.total, w.failures = page.Total, 0
	w.large = page.Total > limit
	w.owed = w.owed && w.large
	if told {
		w.tell()
	}
}

// count counts the players of a board whose first rows have been told, and tells how
// many there are. It is no read: the next change need not wait for it.
func (w *watched) count(ctx context.Context) {
	w.mu.Lock()
	w.counted, w.owed = time.Now(), false
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	total, err := w.hub.Reader.Count(ctx, w.board)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.failed(err)
		return
	}
	told := false
	for limit, view := range w.views {
		if view.whole == nil {
			continue
		}
		if total <= limit { // it has shrunk to what is read, and says so itself
			w.dirty = true
			continue
		}
		page := view.whole.Page
		page.Total = total
		told = view.tell(page, false) || told
	}
	w.total = total
	if told {
		w.tell()
	}
}

// failed has the board read again that did not answer. The lock is held.
func (w *watched) failed(err error) {
	w.dirty, w.counted = true, time.Time{}
	if w.failures++; w.failures == 1 {
		w.hub.Log.Warn("a live board cannot be read", slog.String("board", w.board.Key), slog.String("error", err.Error()))
		w.tell()
	}
}

// tell wakes all viewers. The lock is held.
func (w *watched) tell() {
	for s := range w.streams {
		s.wake()
	}
}

// finish reads the board a last time and tells it as final. It reports whether it
// could.
func (w *watched) finish(ctx context.Context) bool {
	w.mu.Lock()
	w.large = false // count them, whenever they were last
	w.mu.Unlock()
	w.read(ctx)
	if !w.close() {
		return false
	}
	w.hub.end(w)
	return true
}

// close tells the page that was read last as the final one, unless it could not be.
func (w *watched) close() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failures > 0 {
		return false
	}
	for _, view := range w.views {
		view.close()
	}
	w.over = true
	w.tell()
	return true
}

// fail ends the board's streams, so that their viewers come back for another.
func (w *watched) fail(broken any) {
	w.hub.Log.Error("a live board has failed", slog.String("board", w.board.Key), slog.String("error", fmt.Sprint(broken)))
	w.sendAway()
	w.hub.end(w)
}

// sendAway ends the board's streams without a final page.
func (w *watched) sendAway() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.tell()
}
