package api

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/live"
)

// Live is what streams boards, in processes that live long enough.
type Live struct {
	Hub     *live.Hub
	Records *live.Records
	Seats   *live.Seats
	Times   LiveTimes

	owns pace
}

// Close ends every stream, and returns when nothing is done for them any more.
func (l *Live) Close() {
	l.Records.Close()
	l.Hub.Close()
}

// LiveTimes are those of one stream. Zero fields are the product's own.
type LiveTimes struct {
	Beat    time.Duration // between two heartbeats: 15 s, below what proxies take for the end
	Least   time.Duration // that a stream lasts, 4 min; it ends by chance, so that
	Most    time.Duration // viewers do not all come back at once: 6 min
	Own     time.Duration // between two looks at a viewer's own standing: 2 s
	Patient time.Duration // that a viewer may take to read what is sent: 5 s
}

func (t LiveTimes) filled() LiveTimes {
	own := LiveTimes{15 * time.Second, 4 * time.Minute, 6 * time.Minute, 2 * time.Second, 5 * time.Second}
	for _, field := range []struct {
		set *time.Duration
		own time.Duration
	}{{&t.Beat, own.Beat}, {&t.Least, own.Least}, {&t.Most, own.Most}, {&t.Own, own.Own}, {&t.Patient, own.Patient}} {
		if *field.set == 0 {
			*field.set = field.own
		}
	}
	return t
}

// maxLiveLimit is the longest page that is streamed.
const maxLiveLimit = 100

// seatWait is how long who finds no seat waits before asking again.
const seatWait = 30 * time.Second

// streams are the endpoints that go on.
type streams struct {
	boards
	live      *Live  // nil: not in this process,
	elsewhere string // but at this address; empty: nowhere
}

// getLive streams a board: GET /v1/live/{mode}.
func (s streams) getLive(w http.ResponseWriter, r *request) error {
	q := newQuery(r)
	b, err := whichBoard(s.game, s.now(), r, q)
	if err != nil {
		return err
	}
	limit, from := q.number("limit", defaultLimit, 1, maxLiveLimit), q.text("last_event_id")
	if err := q.done(); err != nil {
		return err
	}
	if given := r.Header.Get("Last-Event-ID"); given != "" {
		from = given
	}
	if s.live == nil {
		return s.away(w, r)
	}
	if s.game.Closed(b.Period, s.now()) {
		return s.last(w, r, b, limit, from)
	}
	leave, ok := s.live.Seats.Take(s.address(r.Request))
	if !ok {
		return noSeat()
	}
	defer leave()
	// Who has a board read that nobody watches pays for that, as for any page.
	if !s.live.Hub.Watches(b) {
		if _, err := s.reads.Page(r.Context(), b, game.PageRequest{Limit: limit}); err != nil && !board.Refused(err) {
			return err
		}
	}
	stream, err := s.live.Hub.Watch(b, limit, from)
	if err != nil {
		return noSeat()
	}
	defer stream.Close()
	ctx, release := host.Stream(w, r.Request)
	defer release()
	times := s.live.Times.filled()
	out := newSSE(w, times.Patient)
	if r.Method == http.MethodHead {
		return nil
	}
	v := &viewing{s: s, out: out, board: b, stream: stream, times: times, me: r.caller.player.ID}
	v.follow(ctx) // its end is the client's, or the stream's own: there is nobody left to tell
	return nil
}

// away sends the caller to where streams are.
func (s streams) away(w http.ResponseWriter, r *request) error {
	if s.elsewhere == "" {
		return noLiveBoards()
	}
	w.Header().Set("Location", strings.TrimSuffix(s.elsewhere, "/")+r.URL.RequestURI())
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return nil
}

// last answers for a board that has closed: with the final page, once.
func (s streams) last(w http.ResponseWriter, r *request, b game.Board, limit int64, from string) error {
	if from == closedID {
		w.Header().Set("Cache-Control", "no-cache")
		w.WriteHeader(http.StatusNoContent) // browsers take it for the end, and do not come back
		return nil
	}
	page, err := s.reads.Page(r.Context(), b, game.PageRequest{Limit: limit})
	if err != nil {
		return err
	}
	s.tellStale(r.Context(), page.Found.Stale)
	page.Found.Next = ""
	out := newSSE(w, s.live.Times.filled().Patient)
	if r.Method == http.MethodHead {
		return nil
	}
	if out.begin() == nil {
		_ = out.send(appendEvent(nil, "closed", closedID, appendVersioned(nil, page.Found, 1)))
	}
	return nil
}

// viewing is one stream of one viewer.
type viewing struct {
	s      streams
	out    sse
	board  game.Board
	stream *live.Stream
	times  LiveTimes
	me     string // the player whose own standing is told too; empty: nobody's
	card   string // as it was told last
	asked  time.Time
	moved  bool // the board has changed since
}

// follow sends what happens until the viewer has gone, or the stream ends.
func (v *viewing) follow(ctx context.Context) {
	end := time.NewTimer(v.times.Least + rand.N(v.times.Most-v.times.Least))
	defer end.Stop()
	beat := time.NewTicker(v.times.Beat)
	defer beat.Stop()
	err := v.out.begin()
	for err == nil {
		events, more, over := v.stream.Take()
		for _, e := range events {
			v.moved = v.moved || e.Kind != live.Stale
			if err = v.out.send(e.Wire(writeLive(v.board))); err != nil {
				return
			}
		}
		if over {
			return
		}
		own, err := v.own(ctx)
		if err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-v.stream.Done():
			return
		case <-end.C:
			return
		case <-more:
		case <-own:
		case <-beat.C:
			if v.out.beat() != nil {
				return
			}
		}
	}
}

// own tells the viewer's own standing where it has changed with the board; later is
// when to look again.
//
// Cost: that of a card, at most every 2 s and only after a change, and at most 20 cards a
// second for all viewers of the process.
func (v *viewing) own(ctx context.Context) (later <-chan time.Time, err error) {
	if v.me == "" || !v.moved {
		return nil, nil
	}
	if wait := v.times.Own - time.Since(v.asked); wait > 0 {
		return time.After(wait), nil
	}
	if wait := v.s.live.owns.turn(ownGap); wait > 0 {
		return time.After(wait), nil
	}
	v.asked, v.moved = time.Now(), false
	card := v.s.ownCard(ctx, v.board, v.me)
	if card == "" || card == v.card {
		return nil, nil
	}
	v.card = card
	return nil, v.out.send(appendEvent(nil, "me", "", []byte(card)))
}
