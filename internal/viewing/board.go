package viewing

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/live"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/sse"
	"github.com/framedle/leaderboards/internal/usage"
)

// Board is a board that somebody watches.
type Board struct {
	Board game.Board
	Limit int64  // of its page
	From  string // the last event that the viewer has had; empty: none

	// First reads the page where nobody watches it yet: the viewer's request pays for that,
	// and its error is answered.
	First  func(ctx context.Context) error
	Page   func(p game.Page, version int64) []byte
	Change func(*live.Event) []byte
	Own    func(ctx context.Context) string // the viewer's own card, "" for none; nil: there is no such viewer
	Log    *slog.Logger
}

// event is an event as viewers are sent it.
func (b Board) event(e *live.Event) []byte {
	switch e.Kind {
	case live.Moved:
		return sse.AppendEvent(nil, "change", e.ID(), b.Change(e))
	case live.Closed:
		return sse.AppendEvent(nil, "closed", closedID, b.Page(e.Page, e.Version))
	case live.Stale:
		return sse.AppendEvent(nil, "stale", "", []byte("{}"))
	}
	return sse.AppendEvent(nil, "board", e.ID(), b.Page(e.Page, e.Version))
}

// WatchBoard streams a board to a viewer at an address.
func (l *Live) WatchBoard(w http.ResponseWriter, r *http.Request, at netip.Prefix, b Board) error {
	leave, ok := l.Seats.Take(at)
	if !ok {
		return problem.NoSeat()
	}
	seated := false
	defer func() {
		if !seated {
			leave()
		}
	}()
	// Who has a board read that nobody watches pays for that, as for any page.
	if !l.Hub.Watches(b.Board) {
		if err := b.First(r.Context()); err != nil {
			return err
		}
	}
	if r.Method == http.MethodHead {
		sse.Say(w.Header())
		return nil
	}
	v := &viewing{write: b.event, pace: &l.owns, times: l.Times.filled(), log: b.Log}
	stream, err := l.Hub.Watch(b.Board, b.Limit, b.From, v.wake)
	if err != nil {
		return problem.NoSeat()
	}
	v.stream, seated = stream, true
	v.serve(w, r, b.Own, leave)
	return nil
}

// watching is what a viewer is told of, such as a [live.Stream].
type watching interface {
	// Take are the events that the viewer has not been told, and whether nothing
	// follows them.
	Take() (events []*live.Event, over bool)
	Close()
}

// viewing is one stream of one viewer. It is no goroutine: it is woken when there is
// something to send, or by its timer, and then has one until that is sent.
type viewing struct {
	out    sse.Stream
	stream watching
	write  func(*live.Event) []byte // an event, as it is sent
	own    func() string            // the viewer's own card, "" for none; nil: nobody's
	pace   *pace
	times  Times
	log    *slog.Logger
	ended  func(whole bool) // called once, when nothing more is sent

	mu      sync.Mutex
	working bool // a goroutine is at it,
	again   bool // and is to look once more
	left    bool // the viewer has gone,
	stopped bool // or the process is about to
	over    bool

	// What follows is for who is working.
	timer         *time.Timer
	endAt, beatAt time.Time
	card          string // as it was told last
	asked         time.Time
	moved         bool // what is watched has changed since
}

// serve streams: on the request's own connection where it can be taken, long after it
// returns, or else until the stream ends. Own is the viewer's own card; nil: there is no
// such viewer. Left is called when the stream has ended.
func (v *viewing) serve(w http.ResponseWriter, r *http.Request, own func(context.Context) string, left func()) {
	taken, ok := host.Take(w, r)
	if ok {
		v.serveTaken(sse.Taken{Taken: taken}, w.Header(), r, own, left)
		return
	}
	ctx, release := host.Stream(w, r)
	defer release()
	if own != nil {
		v.own = func() string { return own(ctx) }
	}
	v.out = sse.New(w, v.times.Patient)
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

// serveTaken streams on a connection. What the stream costs counts for the request, and
// of the request nothing else is kept.
func (v *viewing) serveTaken(c sse.Taken, header http.Header, r *http.Request, own func(context.Context) string, left func()) {
	recorded, settled := usage.Outlasts(r.Context()), func() {}
	if own != nil {
		ctx := context.WithoutCancel(r.Context())
		v.own = func() string { return own(ctx) }
		settled = gate.SettlesLater(ctx)
	}
	goes := context.AfterFunc(c.Stop, v.stop)
	v.ended = func(whole bool) {
		goes()
		c.End(whole)
		settled()
		recorded()
		left()
	}
	v.out = sse.NewTaken(c, header, time.Now(), v.times.Patient)
	v.begin()
	go func() {
		c.Await()
		v.leave()
	}()
}

// begin sends the first bytes, and whatever there is. Wake may have been called before.
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

// wake has the viewer sent what there is. It does not wait.
func (v *viewing) wake() { v.note(func() {}) }

// leave ends the stream of a viewer who has gone.
func (v *viewing) leave() { v.note(func() { v.left = true }) }

// stop ends the stream, for the viewer to go on elsewhere.
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

// work sends what there is, until there is nothing more.
func (v *viewing) work() {
	whole := false
	defer func() {
		if broken := recover(); broken != nil { // whoever submits in this process is to notice nothing
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
		goesOn := false
		switch {
		case left:
		case stopped:
			whole = v.out.GoAway() == nil
		default:
			goesOn, whole = v.turn()
		}
		if !goesOn {
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

// turn sends what there is. It reports whether the stream goes on, and otherwise whether
// the viewer has all of it.
func (v *viewing) turn() (goesOn, whole bool) {
	events, over := v.stream.Take()
	final := false
	for _, e := range events {
		v.moved = v.moved || e.Kind != live.Stale
		final = e.Kind == live.Closed
		if v.out.Send(e.Wire(v.write)) != nil {
			return false, false
		}
	}
	if over {
		return false, final || v.out.GoAway() == nil
	}
	ownAt, err := v.tellOwn()
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

// tellOwn tells the viewer's own standing where it has changed with the board; at is
// when to look again, zero: when something has changed.
//
// Cost: that of a card, at most every 2 s and only after a change, and at most 20 cards a
// second for all viewers of the process.
func (v *viewing) tellOwn() (at time.Time, err error) {
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
	card := v.own()
	if card == "" || card == v.card {
		return time.Time{}, nil
	}
	v.card = card
	return time.Time{}, v.out.Send(sse.AppendEvent(nil, "me", "", []byte(card)))
}
