package api

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/live"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/sse"
)

// watchedRecord is what is streamed of a record, to whom.
type watchedRecord struct {
	key    string          // of Redis
	event  string          // that the record is told by
	first  live.ReadRecord // reads it for the caller, whose request pays for that; its errors are answered
	read   live.ReadRecord // reads it again, for all who watch it
	player string          // who watches; empty: a game server
}

// seenClosed answers who comes back after the end of a stream.
func seenClosed(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNoContent) // browsers take it for the end, and do not come back
}

// record streams a record where the caller may see it.
func (s streams) record(w http.ResponseWriter, r *gate.Request, what watchedRecord) error {
	leave, ok := s.live.Seats.Take(s.gate.Address(r.Request))
	if !ok {
		return problem.NoSeat()
	}
	defer leave()
	stream, err := s.live.Records.Watch(what.key, what.read)
	if err != nil {
		return problem.NoSeat()
	}
	defer stream.Close()
	now, err := what.first(r.Context())
	if err != nil {
		return err
	}
	stream.Begin(now)
	ctx, release := host.Stream(w, r.Request)
	defer release()
	times := s.live.Times.filled()
	out := sse.New(w, times.Patient)
	if r.Method == http.MethodHead {
		return nil
	}
	v := &recordViewing{out: out, stream: stream, times: times, what: what}
	v.follow(ctx) // its end is the client's, or the stream's own: there is nobody left to tell
	return nil
}

// recordViewing is one stream of one viewer of a record.
type recordViewing struct {
	out    sse.Stream
	stream *live.RecordStream
	times  LiveTimes
	what   watchedRecord
	told   []byte // last
}

// follow sends what happens until the viewer has gone, or the stream ends.
func (v *recordViewing) follow(ctx context.Context) {
	end := time.NewTimer(v.times.Least + rand.N(v.times.Most-v.times.Least))
	defer end.Stop()
	beat := time.NewTicker(v.times.Beat)
	defer beat.Stop()
	if v.out.Begin() != nil {
		return
	}
	for {
		news, more := v.stream.Take()
		if v.tell(news) != nil || news.Over {
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
		case <-beat.C:
			if v.out.Beat() != nil {
				return
			}
		}
	}
}

// errNotTheirs ends a stream whose viewer may not see its record any more.
var errNotTheirs = errors.New("the record is not the viewer's any more")

// tell sends what is new to this viewer.
func (v *recordViewing) tell(news live.RecordNews) error {
	var stale []byte
	if news.Stale {
		stale = sse.AppendEvent(nil, "stale", "", []byte("{}"))
	}
	if news.Now == nil {
		return v.sendAny(stale)
	}
	body := news.Now.Show(v.what.player)
	if body == nil {
		_ = v.out.Send(sse.AppendEvent(nil, "closed", closedID, []byte("{}")))
		return errNotTheirs
	}
	var events []byte
	if !bytes.Equal(body, v.told) {
		events, v.told = sse.AppendEvent(events, v.what.event, "", body), body
	}
	if news.Now.Over {
		events = sse.AppendEvent(events, "closed", closedID, body)
	}
	return v.sendAny(append(events, stale...))
}

func (v *recordViewing) sendAny(events []byte) error {
	if len(events) == 0 {
		return nil
	}
	return v.out.Send(events)
}
