// Package sse writes answers of server-sent events: through net/http, or on a connection
// that was taken from its server.
package sse

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Stream is one answer, see
// https://html.spec.whatwg.org/multipage/server-sent-events.html.
type Stream struct {
	to      io.Writer // each Write is one whole message on its way
	flush   func() error
	patient func() error // has a client that does not read be given up
}

// reconnect is how long a client waits before it comes back, in milliseconds, and
// sentAway how long at most when its stream was ended with many others.
const (
	reconnect = 2_000
	sentAway  = 10_000
)

// Say says what the answer is. What stands between is asked not to hold it back:
// nginx by its own header, others by no-transform.
func Say(header http.Header) {
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
}

// New begins the answer. A client may take so long to read what is written.
func New(w http.ResponseWriter, patience time.Duration) Stream {
	Say(w.Header())
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	return Stream{w, control.Flush, func() error {
		_ = control.SetWriteDeadline(time.Now().Add(patience)) // where there is none, the host has its own
		return nil
	}}
}

// Begin sends the first bytes, so that nobody on the way waits for them.
func (s Stream) Begin() error { return s.retryAfter(reconnect) }

// GoAway has the client come back at a moment of its own.
func (s Stream) GoAway() error { return s.retryAfter(reconnect + rand.Int64N(sentAway-reconnect)) }

func (s Stream) retryAfter(ms int64) error {
	return s.Send(append(strconv.AppendInt([]byte("retry: "), ms, 10), "\n\n"...))
}

// Beat shows that the stream lives.
func (s Stream) Beat() error { return s.Send(heartbeat) }

var heartbeat = []byte(": hb\n\n")

// Send writes at once, or gives up on a client that does not read.
func (s Stream) Send(message []byte) error {
	if err := s.patient(); err != nil {
		return err
	}
	if _, err := s.to.Write(message); err != nil {
		return err
	}
	return s.flush()
}

// AppendEvent appends an event whose data is one line.
func AppendEvent(b []byte, name, id string, data []byte) []byte {
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = append(append(append(b, "event: "...), name...), "\ndata: "...)
	return append(append(b, data...), "\n\n"...)
}
