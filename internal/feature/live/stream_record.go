package live

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/platform/host"
)

// Record is a duel or a race that is streamed, and the player who watches it.
type Record struct {
	Key    string     // its key in Redis
	Event  string     // name of the events that show it
	First  ReadRecord // reads it for the caller: its request pays, and gets the errors
	Read   ReadRecord // reads it again, for all viewers
	Player string     // the viewer; empty: a game server
}

// AskedRecord reads which record a request wants to watch, and the last event that its viewer
// has received.
func AskedRecord(r *gate.Request, valid func(id string) error) (id, from string, err error) {
	q := decode.OpenQuery(r.URL)
	id, from = r.PathValue("id"), LastEvent(r, q)
	if err := valid(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, from, q.Done()
}

// WatchRecord streams a record to a viewer who may see it. At is the viewer's address, for
// its limit on streams.
func (l *Live) WatchRecord(w http.ResponseWriter, r *http.Request, at netip.Prefix, what Record) error {
	leave, ok := l.Seats.Take(at)
	if !ok {
		return noSeat()
	}
	defer leave()
	stream, err := l.Records.Watch(what.Key, what.Read)
	if err != nil {
		return noSeat()
	}
	defer stream.Close()
	now, err := what.First(r.Context())
	if err != nil {
		return err
	}
	stream.Begin(now)
	gate.Settle(r.Context())
	ctx, release := host.Stream(w, r)
	defer release()
	times := l.Times.filled()
	out := NewEventStream(w, times.Patient)
	if r.Method == http.MethodHead {
		return nil
	}
	v := &recordViewing{out: out, stream: stream, times: times, what: what}
	v.follow(ctx) // it ends when the client leaves or the stream is over: no answer is possible
	return nil
}

// recordViewing is one stream of a record to one viewer.
type recordViewing struct {
	out    EventStream
	stream *RecordStream
	times  Times
	what   Record
	sent   []byte // what was sent last
}

// follow sends events until the viewer disconnects or the stream ends.
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
		if v.send(news) != nil || news.Over {
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

// errNotTheirs ends a stream if its viewer may no longer see the record.
var errNotTheirs = errors.New("the record is not the viewer's any more")

// send sends what is new to this viewer.
func (v *recordViewing) send(news RecordNews) error {
	var stale []byte
	if news.Stale {
		stale = AppendEvent(nil, "stale", "", []byte("{}"))
	}
	if news.Now == nil {
		return v.sendAny(stale)
	}
	body := news.Now.Show(v.what.Player)
	if body == nil {
		_ = v.out.Send(AppendEvent(nil, "closed", closedID, []byte("{}")))
		return errNotTheirs
	}
	var events []byte
	if !bytes.Equal(body, v.sent) {
		events, v.sent = AppendEvent(events, v.what.Event, "", body), body
	}
	if news.Now.Over {
		events = AppendEvent(events, "closed", closedID, body)
	}
	return v.sendAny(append(events, stale...))
}

func (v *recordViewing) sendAny(events []byte) error {
	if len(events) == 0 {
		return nil
	}
	return v.out.Send(events)
}
