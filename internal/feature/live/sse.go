// This file writes answers of server-sent events, either through net/http or on a connection
// that was taken from net/http.

package live

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Stream is one answer of server-sent events, see
// https://html.spec.whatwg.org/multipage/server-sent-events.html.
type EventStream struct {
	to      io.Writer // each Write sends one whole message
	flush   func() error
	patient func() error // sets the deadline by which the client must have read a message
}

// reconnect is how long a client waits before it reconnects, in milliseconds. sentAway is the
// longest such wait if many streams end at the same time.
const (
	reconnect = 2_000
	sentAway  = 10_000
)

// Say sets the headers of the answer. They also ask proxies not to buffer it: nginx by its own
// header, others by no-transform.
func Say(header http.Header) {
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
}

// New starts the answer. patience is how long a client may take to read a message.
func NewEventStream(w http.ResponseWriter, patience time.Duration) EventStream {
	Say(w.Header())
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	return EventStream{w, control.Flush, func() error {
		_ = control.SetWriteDeadline(time.Now().Add(patience)) // if this is not possible, the host has its own deadline
		return nil
	}}
}

// Begin sends the first bytes, so that no client or proxy waits for them.
func (s EventStream) Begin() error { return s.retryAfter(reconnect) }

// GoAway makes the client reconnect after a random time, so that not all clients come at the
// same moment.
func (s EventStream) GoAway() error { return s.retryAfter(reconnect + rand.Int64N(sentAway-reconnect)) }

func (s EventStream) retryAfter(ms int64) error {
	return s.Send(append(strconv.AppendInt([]byte("retry: "), ms, 10), "\n\n"...))
}

// Beat sends a heartbeat, which shows that the stream is alive.
func (s EventStream) Beat() error { return s.Send(heartbeat) }

var heartbeat = []byte(": hb\n\n")

// Send writes a message without buffering. It returns an error if the client does not read.
func (s EventStream) Send(message []byte) error {
	if err := s.patient(); err != nil {
		return err
	}
	if _, err := s.to.Write(message); err != nil {
		return err
	}
	return s.flush()
}

// AppendEvent appends an event; data must be a single line.
func AppendEvent(b []byte, name, id string, data []byte) []byte {
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = append(append(append(b, "event: "...), name...), "\ndata: "...)
	return append(append(b, data...), "\n\n"...)
}
