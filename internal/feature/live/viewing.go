// [Live] streams what is new of a board, a duel or a race to its viewers. A hub knows what has
// changed, an event stream writes it to the connection, and Live decides when: it sends heartbeats, ends each stream in time, and limits how often a
// viewer's own card is read.
//
// It must not know routes, who may see what, or how rows, duels and races are written.

package live

import (
	"cmp"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
)

// Live streams boards and records, in processes that live long enough.
type Live struct {
	Hub     *Hub
	Records *Records
	Seats   *Seats
	Times   Times

	owns pace
}

// Close ends every stream, and returns when nothing runs for them any more.
func (l *Live) Close() {
	l.Records.Close()
	l.Hub.Close()
}

// Times are the intervals of one stream. Zero fields take the defaults named here.
type Times struct {
	Beat    time.Duration // between two heartbeats: 15 s, so that proxies do not take the connection for dead
	Least   time.Duration // the shortest life of a stream: 4 min; each life is random, so that
	Most    time.Duration // viewers do not all come back at once; the longest: 6 min
	Own     time.Duration // between two reads of a viewer's own card: 2 s
	Patient time.Duration // a viewer may take to read what is sent: 5 s
}

func (t Times) filled() Times {
	return Times{
		Beat:    cmp.Or(t.Beat, 15*time.Second),
		Least:   cmp.Or(t.Least, 4*time.Minute),
		Most:    cmp.Or(t.Most, 6*time.Minute),
		Own:     cmp.Or(t.Own, 2*time.Second),
		Patient: cmp.Or(t.Patient, 5*time.Second),
	}
}

// LastEvent is the id of the last event that a returning viewer received. Browsers send it in
// a header, and pages that cannot set headers in a parameter.
func LastEvent(r *gate.Request, q *decode.Query) string {
	from := q.Text("last_event_id")
	if given := r.Header.Get("Last-Event-ID"); given != "" {
		return given
	}
	return from
}

// closedID is the id of the last event of a closed board or record: a viewer who returns with
// it has received everything.
const closedID = "closed"

// AnswerClosed reports whether a viewer has already received the last event of a closed board or
// record, and answers the viewer if so.
func AnswerClosed(w http.ResponseWriter, from string) bool {
	if from != closedID {
		return false
	}
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusNoContent) // browsers do not reconnect after this status
	return true
}

// Final sends the last event of a closed board or record, and nothing else.
func (l *Live) Final(w http.ResponseWriter, r *http.Request, body []byte) {
	out := NewEventStream(w, l.Times.filled().Patient)
	if r.Method == http.MethodHead {
		return
	}
	if out.Begin() == nil {
		_ = out.Send(AppendEvent(nil, "closed", closedID, body))
	}
}
