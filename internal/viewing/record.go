package viewing

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/live"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/sse"
)

// Record is what is streamed of a record, to whom.
type Record struct {
	Key    string          // of Redis
	Event  string          // that the record is told by
	First  live.ReadRecord // reads it for the caller, whose request pays for that; its errors are answered
	Read   live.ReadRecord // reads it again, for all who watch it
	Player string          // who watches; empty: a game server
}

// AskedRecord reads which record a request wants to watch, and the last event of it that
// it has had.
func AskedRecord(r *gate.Request, valid func(id string) error) (id, from string, err error) {
	q := fields.OpenQuery(r.URL)
	id, from = r.PathValue("id"), LastEvent(r, q)
	if err := valid(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, from, q.Done()
}

// WatchRecord streams a record to a viewer at an address, where the viewer may see it.
func (l *Live) WatchRecord(w http.ResponseWriter, r *http.Request, at netip.Prefix, what Record) error {
	leave, ok := l.Seats.Take(at)
	if !ok {
		return problem.NoSeat()
	}
	defer leave()
	stream, err := l.Records.Watch(what.Key, what.Read)
	if err != nil {
		return problem.NoSeat()
	}
	defer stream.Close()
	now, err := what.First(r.Context())
	if err != nil {
		return err
	}
	stream.Begin(now)
	ctx, release := host.Stream(w, r)
	defer release()
	times := l.Times.filled()
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
	times  Times
	what   Record
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
	body := news.Now.Show(v.what.Player)
	if body == nil {
		_ = v.out.Send(sse.AppendEvent(nil, "closed", closedID, []byte("{}")))
		return errNotTheirs
	}
	var events []byte
	if !bytes.Equal(body, v.told) {
		events, v.told = sse.AppendEvent(events, v.what.Event, "", body), body
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
