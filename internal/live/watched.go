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
	failures int  // in a row
	over     bool // nothing more is told: the period has ended, and each view has its final page, or the hub has
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
		at, watchedNow, left := w.due()
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
			w.read(ctx)
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

// due is when the next read is, where anybody watches; and otherwise since when not.
func (w *watched) due() (at time.Time, watchedNow bool, left time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.streams) == 0 {
		return time.Time{}, false, w.left
	}
	timing, every := w.hub.Timing, w.hub.Reader.Every(w.board)
	at = w.readAt.Add(timing.Sure) // Redis does not tell of a key that was lost with all others
	sooner := func(t time.Time) {
		if t.Before(at) {
			at = t
		}
	}
	if w.dirty {
		sooner(later(w.readAt.Add(timing.Gap), w.dirtyAt.Add(timing.Settle)))
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
		at = w.readAt.Add(min(time.Duration(w.failures)*timing.Pulse, mostBackoff))
	}
	return at, true, time.Time{}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// begin notes that a read begins: what is told from now on needs another one.
func (w *watched) begin() (limit, total int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readAt, w.dirty = time.Now(), false
	if !w.sourceAt.IsZero() && !w.readAt.Before(w.sourceAt.Add(w.hub.Reader.Every(w.board))) {
		w.sourceAt = time.Time{}
	}
	for views := range w.views {
		limit = max(limit, views)
	}
	return limit, w.total
}

// read reads the board and tells its viewers.
func (w *watched) read(ctx context.Context) {
	limit, total := w.begin()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	page, err := w.hub.Reader.Top(ctx, w.board, limit, total)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.dirty = true
		if w.failures++; w.failures == 1 {
			w.hub.Log.Warn("a live board cannot be read", slog.String("board", w.board.Key), slog.String("error", err.Error()))
			w.tell()
		}
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
	if told {
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
