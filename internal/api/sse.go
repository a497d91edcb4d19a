package api

import (
	"net/http"
	"strconv"
	"time"
)

// sse is an answer of server-sent events, see
// https://html.spec.whatwg.org/multipage/server-sent-events.html.
type sse struct {
	w       http.ResponseWriter
	control *http.ResponseController
	patient time.Duration // how long a client may take to read what is written
}

// reconnect is how long a client waits before it comes back, in milliseconds.
const reconnect = 2000

// newSSE begins the answer. What stands between is asked not to hold it back: nginx
// by its own header, others by no-transform.
func newSSE(w http.ResponseWriter, patient time.Duration) sse {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return sse{w, http.NewResponseController(w), patient}
}

// begin sends the first bytes, so that nobody on the way waits for them.
func (s sse) begin() error {
	return s.send(strconv.AppendInt([]byte("retry: "), reconnect, 10), []byte("\n\n"))
}

// beat shows that the stream lives.
func (s sse) beat() error { return s.send([]byte(": hb\n\n")) }

// send writes at once, or gives up on a client that does not read.
func (s sse) send(parts ...[]byte) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.patient)) // where there is none, the host has its own
	for _, part := range parts {
		if _, err := s.w.Write(part); err != nil {
			return err
		}
	}
	return s.control.Flush()
}

// appendEvent appends an event whose data is one line.
func appendEvent(b []byte, name, id string, data []byte) []byte {
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = append(append(append(b, "event: "...), name...), "\ndata: "...)
	return append(append(b, data...), "\n\n"...)
}
