package api

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/live"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/sse"
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

// streams are the endpoints that go on.
type streams struct {
	elsewhere // for what is not streamed here either
	live      *Live
}

// getLive streams a board: GET /v1/live/{mode}.
func (s streams) getLive(w http.ResponseWriter, r *gate.Request) error {
	asked, err := s.liveAsked(r)
	if err != nil {
		return err
	}
	b, limit, from := asked.board, asked.limit, asked.from
	if s.game.Closed(b.Period, s.now()) {
		return s.last(w, r, b, limit, from)
	}
	leave, ok := s.live.Seats.Take(s.gate.Address(r.Request))
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
	if !s.live.Hub.Watches(b) {
		if _, err := s.reads.Page(r.Context(), b, game.PageRequest{Limit: limit}); err != nil && !board.Refused(err) {
			return err
		}
	}
	if r.Method == http.MethodHead {
		sse.Say(w.Header())
		return nil
	}
	v := &viewing{write: writeLive(b), pace: &s.live.owns, times: s.live.Times.filled(), log: s.log}
	if v.stream, err = s.live.Hub.Watch(b, limit, from, v.wake); err != nil {
		return problem.NoSeat()
	}
	seated = true
	var own func(context.Context) string
	if me := r.Caller.Player.ID; me != "" {
		own = func(ctx context.Context) string { return s.ownCard(ctx, b, me) }
	}
	v.serve(w, r.Request, own, leave)
	return nil
}

// last answers for a board that has closed: with the final page, once.
func (s streams) last(w http.ResponseWriter, r *gate.Request, b game.Board, limit int64, from string) error {
	if from == closedID {
		seenClosed(w)
		return nil
	}
	page, err := s.reads.Page(r.Context(), b, game.PageRequest{Limit: limit})
	if err != nil {
		return err
	}
	s.tellStale(r.Context(), page.Found.Stale)
	page.Found.Next = ""
	out := sse.New(w, s.live.Times.filled().Patient)
	if r.Method == http.MethodHead {
		return nil
	}
	if out.Begin() == nil {
		_ = out.Send(sse.AppendEvent(nil, "closed", closedID, appendVersioned(nil, page.Found, 1)))
	}
	return nil
}
