package live

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	// readTime bounds one read of a board.
	readTime = 5 * time.Second
	// mostBackoff is the longest wait before a failed read is repeated.
	mostBackoff = 5 * time.Second
)

// watched is a board that is watched, or was until lately.
type watched struct {
	hub   *Hub
	board game.Board
	stop  context.CancelFunc
	wake  chan struct{} // signals run to check what is due

	mu       sync.Mutex
	views    map[int64]*history
	streams  map[*Stream]struct{} // of all viewers
	payers   map[netip.Prefix]*payer
	unpaid   time.Time // until when no viewer pays for a read
	left     time.Time // when the last viewer left
	dirty    bool      // the board itself has changed since the read,
	dirtyAt  time.Time // at this time; zero: not read yet
	sourceAt time.Time // when a board that this one is derived from last changed; zero: all changes were read
	polls    bool      // changes are not notified
	readAt   time.Time // when the last read began
	total    int64
	large    bool      // the board has more players than rows that are read, so counting them costs a command;
	counted  time.Time // when they were last counted,
	owed     bool      // and a newer count is needed
	failures int       // in a row
	over     bool      // the streams have ended: each view has its final page, or the hub has closed
}

// payer is an address from which a board is watched.
type payer struct {
	streams int
	pay     Pay // of the viewer who came last
}

// join adds a viewer.
func (w *watched) join(limit int64, v Viewer) *Stream {
	w.mu.Lock()
	defer w.mu.Unlock()
	view := w.views[limit]
	if view == nil {
		view = &history{limit: limit, epoch: newEpoch()}
		for _, other := range w.views {
			if other.whole != nil && (other.limit >= limit || !other.whole.Page.More) {
				view.record(other.whole.Page, false)
				break
			}
		}
		w.dirty = w.dirty || view.whole == nil
		w.views[limit] = view
	}
	s := &Stream{board: w, view: view, address: v.Address, wake: v.Wake, version: parseID(view.epoch, v.From)}
	w.streams[s] = struct{}{}
	if w.payers[v.Address] == nil {
		w.payers[v.Address] = &payer{}
		w.unpaid = time.Time{}
	}
	w.payers[v.Address].streams++
	w.payers[v.Address].pay = v.Pay
	view.viewers++
	w.nudge()
	return s
}

// audience is who watches a board.
type audience struct {
	idle  bool // nobody
	from  bool // somebody at the address that was asked for
	empty bool // the board was read, and no player was on it
}

func (w *watched) audience(from netip.Prefix) audience {
	w.mu.Lock()
	defer w.mu.Unlock()
	empty := w.total == 0 && w.failures == 0
	for _, view := range w.views {
		empty = empty && view.whole != nil
	}
	return audience{len(w.streams) == 0, w.payers[from] != nil, empty}
}

// nudge wakes the board's loop. The caller holds w.mu.
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

// poll switches between reading by the clock and reading after notifications. It marks the
// board as changed, because changes in between were not notified.
func (w *watched) poll(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.polls = on
	w.missed()
}

// doubt marks the board as changed, because changes may not have been notified.
func (w *watched) doubt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.missed()
}

// missed is doubt for a caller who holds w.mu.
func (w *watched) missed() {
	w.dirty = true
	if w.board.Derived() { // its sources may have changed too
		w.sourceAt = time.Now()
	}
	w.nudge()
}

// run reads the board when that is due, until its period ends, nobody has watched for
// a while, or ctx ends.
func (w *watched) run(ctx context.Context) {
	defer func() {
		if broken := recover(); broken != nil { // a failed board must not fail submissions in this process
			w.fail(broken)
		}
	}()
	timing := w.hub.Timing
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		now := time.Now()
		what, at, watchedNow, left := w.nextTask()
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
			w.paid(ctx, what)
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

// mostAsked is how many viewers are asked to pay for a read.
const mostAsked = 8

// paid makes a read that is due, if one of the viewers pays for it. The order of a map is
// random, so those who watch the board share its cost. If nobody pays, the read waits.
func (w *watched) paid(ctx context.Context, what int) {
	w.mu.Lock()
	asked := make([]Pay, 0, mostAsked)
	for _, p := range w.payers {
		if asked = append(asked, p.pay); len(asked) == mostAsked {
			break
		}
	}
	w.mu.Unlock()
	wait := mostBackoff
	for _, pay := range asked {
		settle, later := func() {}, time.Duration(0)
		within := ctx
		if pay != nil {
			within, settle, later = pay(ctx)
		}
		if later > 0 {
			wait = min(wait, later)
			continue
		}
		defer settle()
		if what == countDue {
			w.count(within)
		} else {
			w.read(within)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unpaid = time.Now().Add(max(wait, w.hub.Timing.Gap))
}

// What is read of a board.
const (
	readDue  = iota // its first rows
	countDue        // only how many players it has
)

// nextTask returns what to read next and when, if the board has viewers; otherwise left is when
// the last one left.
func (w *watched) nextTask() (what int, at time.Time, watchedNow bool, left time.Time) {
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
	at = w.readAt.Add(timing.Sure) // Redis does not notify if all keys were lost
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
		// Another process may have refreshed the board just before this change.
		sooner(w.sourceAt.Add(max(timing.Gap, every)))
	}
	if w.failures > 0 {
		again := w.readAt.Add(min(time.Duration(w.failures)*timing.Pulse, mostBackoff))
		return readDue, later(again, w.unpaid), true, time.Time{}
	}
	if counted := w.counted.Add(timing.Count); w.owed && counted.Before(at) {
		return countDue, later(counted, w.unpaid), true, time.Time{}
	}
	return readDue, later(at, w.unpaid), true, time.Time{}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// begin notes that a read begins: a change from now on needs another read.
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

// read reads the board and wakes its viewers.
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
	answer := false
	for limit, view := range w.views {
		if view.viewers == 0 && time.Since(view.left) >= w.hub.Timing.Linger {
			delete(w.views, limit)
			continue
		}
		answer = view.record(page, w.failures > 0) || answer
	}
	w.total, w.failures = page.Total, 0
	w.large = page.Total > limit
	w.owed = w.owed && w.large
	if answer {
		w.notify()
	}
}

// count counts the players of a board after its first rows were sent, and sends the total. It
// does not count as a read: the next change need not wait for the gap after it.
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
	answer := false
	for limit, view := range w.views {
		if view.whole == nil {
			continue
		}
		if total <= limit { // it has become small; the next read also gives the total
			w.dirty = true
			continue
		}
		page := view.whole.Page
		page.Total = total
		answer = view.record(page, false) || answer
	}
	w.total = total
	if answer {
		w.notify()
	}
}

// failed makes a board whose read has failed be read again. The caller holds w.mu.
func (w *watched) failed(err error) {
	w.dirty, w.counted = true, time.Time{}
	if w.failures++; w.failures == 1 {
		w.hub.Log.Warn("a live board cannot be read", slog.String("board", w.board.Key), slog.String("error", err.Error()))
		w.notify()
	}
}

// notify wakes all viewers. The caller holds w.mu.
func (w *watched) notify() {
	for s := range w.streams {
		s.wake()
	}
}

// finish reads the board a last time, and sends it as final. It reports whether the read
// succeeded. Nobody pays for it, since it is read once.
func (w *watched) finish(ctx context.Context) bool {
	w.mu.Lock()
	w.large = false // count the players, whenever they were last counted
	w.mu.Unlock()
	w.read(ctx)
	if !w.close() {
		return false
	}
	w.hub.end(w)
	return true
}

// close sends the page that was read last as the final one, unless the read has failed.
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
	w.notify()
	return true
}

// fail ends the board's streams, so that their viewers reconnect and start another.
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
	w.notify()
}
