// Package viewing has whoever watches a board, a duel or a race sent what is new, for as long
// as the viewer stays and the stream may last. Package live tells what has changed, and
// package sse how it goes over the wire; here is when it is sent.
//
// It must not know routes, who may see what, or how rows, duels and races are written.
package viewing

import (
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/live"
	"github.com/framedle/leaderboards/internal/sse"
)

// Live is what streams boards, in processes that live long enough.
type Live struct {
	Hub     *live.Hub
	Records *live.Records
	Seats   *live.Seats
	Times   Times

	owns pace
}

// Close ends every stream, and returns when nothing is done for them any more.
func (l *Live) Close() {
	l.Records.Close()
	l.Hub.Close()
}

// Times are those of one stream. Zero fields are the product's own.
type Times struct {
	Beat    time.Duration // between two heartbeats: 15 s, below what proxies take for the end
	Least   time.Duration // that a stream lasts, 4 min; it ends by chance, so that
	Most    time.Duration // viewers do not all come back at once: 6 min
	Own     time.Duration // between two looks at a viewer's own standing: 2 s
	Patient time.Duration // that a viewer may take to read what is sent: 5 s
}

func (t Times) filled() Times {
	own := Times{15 * time.Second, 4 * time.Minute, 6 * time.Minute, 2 * time.Second, 5 * time.Second}
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

// LastEvent is what a browser sends when it comes back, or a page that cannot set headers.
func LastEvent(r *gate.Request, q *fields.Query) string {
	from := q.Text("last_event_id")
	if given := r.Header.Get("Last-Event-ID"); given != "" {
		return given
	}
	return from
}

// closedID is the id of the last event of what has closed: who comes back with it has all
// there is.
const closedID = "closed"

// Seen reports whether a viewer has come back after the end of a stream, by the last event
// that it has had, and answers it then.
func Seen(w http.ResponseWriter, from string) bool {
	if from != closedID {
		return false
	}
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNoContent) // browsers take it for the end, and do not come back
	return true
}

// Final sends the last event of what has closed, and nothing else.
func (l *Live) Final(w http.ResponseWriter, r *http.Request, body []byte) {
	out := sse.New(w, l.Times.filled().Patient)
	if r.Method == http.MethodHead {
		return
	}
	if out.Begin() == nil {
		_ = out.Send(sse.AppendEvent(nil, "closed", closedID, body))
	}
}
