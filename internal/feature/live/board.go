package live

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Board is a board that a viewer watches.
type BoardStream struct {
	Board game.Board
	Limit int64  // of its page
	From  string // the last event that the viewer has received; empty: none

	// First reads the page if nobody watches the board yet. The viewer's request pays for
	// that, and is answered with its error.
	First  func(ctx context.Context) error
	Page   func(p game.Page, version int64) []byte
	Change func(*Event) []byte
	// Own reads the viewer's own card, "" for none. Refused reports that the viewer may not
	// spend that now. Nil: the viewer has none.
	Own func(ctx context.Context) (card string, refused bool)
	Pay Pay // charges the viewer for a read
	Log *slog.Logger
}

// event encodes an event as viewers get it.
func (b BoardStream) event(e *Event) []byte {
	switch e.Kind {
	case Moved:
		return AppendEvent(nil, "change", e.ID(), b.Change(e))
	case Closed:
		return AppendEvent(nil, "closed", closedID, b.Page(e.Page, e.Version))
	case Stale:
		return AppendEvent(nil, "stale", "", []byte("{}"))
	}
	return AppendEvent(nil, "board", e.ID(), b.Page(e.Page, e.Version))
}

// WatchBoard streams a board to a viewer. At is the viewer's address, for its limit on
// streams.
func (l *Live) WatchBoard(w http.ResponseWriter, r *http.Request, at netip.Prefix, b BoardStream) error {
	leave, ok := l.Seats.Take(at)
	if !ok {
		return noSeat()
	}
	seated := false
	defer func() {
		if !seated {
			leave()
		}
	}()
	// The first viewer of a board pays for reading it, as for any page.
	if !l.Hub.Watches(b.Board) {
		if err := b.First(r.Context()); err != nil {
			return err
		}
	}
	if r.Method == http.MethodHead {
		Say(w.Header())
		return nil
	}
	v := &viewing{write: b.event, pace: &l.owns, times: l.Times.filled(), log: b.Log}
	gate.Settle(r.Context())
	stream, err := l.Hub.Watch(b.Board, b.Limit, Viewer{Address: at, From: b.From, Wake: v.wake, Pay: b.Pay})
	if err != nil {
		return noSeat()
	}
	v.stream, seated = stream, true
	v.serve(w, r, b.Own, leave)
	return nil
}

// viewing is one stream to one viewer. It holds no goroutine while it waits: something to
// send, or its timer, wakes it, and it then runs a goroutine until that is sent.
type viewing struct {
	out    EventStream
	stream *Stream
	write  func(*Event) []byte   // encodes an event
	own    func() (string, bool) // see Board.Own
	pace   *pace
	times  Times
	log    *slog.Logger
	ended  func(whole bool) // called once, after the last event was sent

	mu      sync.Mutex
	working bool // a goroutine is sending
	again   bool // that goroutine has to look for events once more
	left    bool // the viewer has disconnected
	stopped bool // the process is about to stop
	over    bool

	// Only the goroutine that sends uses these fields.
	timer         *time.Timer
	endAt, beatAt time.Time
	card          string // the card that was sent last
	asked         time.Time
	moved         bool // the board has changed since then
}

// serve streams to the viewer. If the host lets it take the connection, serve returns at once
// and the stream continues; otherwise serve returns when the stream ends. Own reads the
// viewer's own card, see Board; nil: the viewer has none. Left is called when the stream has ended.
func (v *viewing) serve(w http.ResponseWriter, r *http.Request, own func(context.Context) (string, bool), left func()) {
	taken, ok := host.Take(w, r)
	if ok {
		v.serveTaken(HijackedStream{HijackedConn: taken}, w.Header(), r, own, left)
		return
	}
	ctx, release := host.Stream(w, r)
	defer release()
	if own != nil {
		v.own = func() (string, bool) { return own(ctx) }
	}
	v.out = NewEventStream(w, v.times.Patient)
	done := make(chan struct{})
	v.ended = func(bool) { left(); close(done) }
	v.begin()
	select {
	case <-ctx.Done():
		v.stop()
		<-done
	case <-done:
	}
}

// serveTaken streams on a connection that was taken from its request. What the stream costs
// counts for the request; nothing else of the request stays in memory.
func (v *viewing) serveTaken(c HijackedStream, header http.Header, r *http.Request, own func(context.Context) (string, bool), left func()) {
	recorded := usage.Outlasts(r.Context())
	if own != nil {
		ctx := context.WithoutCancel(r.Context())
		v.own = func() (string, bool) { return own(ctx) }
	}
	goes := context.AfterFunc(c.Stop, v.stop)
	v.ended = func(whole bool) {
		goes()
		c.End(whole)
		recorded()
		left()
	}
	v.out = NewTaken(c, header, time.Now(), v.times.Patient)
	v.begin()
	go func() {
		c.Await()
		v.leave()
	}()
}

// begin sends the first bytes and all events so far. Wake may have been called before.
func (v *viewing) begin() {
	now := time.Now()
	v.endAt = now.Add(v.times.Least + rand.N(v.times.Most-v.times.Least))
	v.beatAt = now.Add(v.times.Beat)
	if v.out.Begin() != nil {
		v.leave()
	}
	v.mu.Lock()
	v.timer = time.AfterFunc(v.times.Beat, v.wake)
	v.mu.Unlock()
	v.wake()
}

// wake starts sending what is new. It does not wait.
func (v *viewing) wake() { v.note(func() {}) }

// leave ends the stream of a viewer who has disconnected.
func (v *viewing) leave() { v.note(func() { v.left = true }) }

// stop ends the stream, so that the viewer reconnects to another process.
func (v *viewing) stop() { v.note(func() { v.stopped = true }) }

func (v *viewing) note(what func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	what()
	v.again = true
	if !v.working && !v.over && v.timer != nil {
		v.working = true
		go v.work()
	}
}

// work sends events until there are no more.
func (v *viewing) work() {
	whole := false
	defer func() {
		if broken := recover(); broken != nil { // a failed stream must not fail submissions in this process
			v.log.Error("a stream has failed", slog.String("error", fmt.Sprint(broken)))
			v.end(false)
		}
	}()
	for {
		v.mu.Lock()
		left, stopped := v.left, v.stopped
		if v.working = v.again; !v.again {
			v.mu.Unlock()
			return
		}
		v.again = false
		v.mu.Unlock()
		continues := false
		switch {
		case left:
		case stopped:
			whole = v.out.GoAway() == nil
		default:
			continues, whole = v.turn()
		}
		if !continues {
			v.end(whole)
			return
		}
	}
}

func (v *viewing) end(whole bool) {
	v.mu.Lock()
	was := v.over
	v.over = true
	v.timer.Stop()
	v.mu.Unlock()
	if was {
		return
	}
	v.stream.Close()
	v.ended(whole)
}

// turn sends what is new. continues reports whether the stream stays open; if not, whole reports
// whether the viewer has received all of it.
func (v *viewing) turn() (continues, whole bool) {
	events, over := v.stream.Take()
	final := false
	for _, e := range events {
		v.moved = v.moved || e.Kind != Stale
		final = e.Kind == Closed
		if v.out.Send(e.Wire(v.write)) != nil {
			return false, false
		}
	}
	if over {
		return false, final || v.out.GoAway() == nil
	}
	ownAt, err := v.sendOwn()
	if err != nil {
		return false, false
	}
	now := time.Now()
	if !now.Before(v.endAt) {
		return false, true
	}
	if !now.Before(v.beatAt) {
		if v.out.Beat() != nil {
			return false, false
		}
		v.beatAt = now.Add(v.times.Beat)
	}
	next := min(v.beatAt.Sub(now), v.endAt.Sub(now))
	if !ownAt.IsZero() {
		next = min(next, ownAt.Sub(now))
	}
	v.timer.Reset(next)
	return true, false
}

// sendOwn sends the viewer's own card if it has changed with the board. It returns when to
// look again; zero: after the next change of the board.
//
// Cost: that of a card, at most every 2 s and only after a change, and at most 20 cards a
// second for all viewers of the process.
func (v *viewing) sendOwn() (at time.Time, err error) {
	if v.own == nil || !v.moved {
		return time.Time{}, nil
	}
	if wait := v.times.Own - time.Since(v.asked); wait > 0 {
		return time.Now().Add(wait), nil
	}
	if wait := v.pace.turn(ownGap); wait > 0 {
		return time.Now().Add(wait), nil
	}
	v.asked, v.moved = time.Now(), false
	card, refused := v.own()
	if refused {
		v.pace.giveBack()
	}
	if card == "" || card == v.card {
		return time.Time{}, nil
	}
	v.card = card
	return time.Time{}, v.out.Send(AppendEvent(nil, "me", "", []byte(card)))
}
