package upstashtest

import "sync"

// maxPending is how many bytes a slow reader of a stream may be behind; it is Redis' own
// limit for subscribers.
const maxPending = 32 << 20

// outbox gathers what the reader of a stream has not taken yet. A reader that falls too
// far behind loses the whole stream, not single messages.
type outbox struct {
	ready chan struct{} // holds an item when there is something to take

	mu      sync.Mutex
	pending []byte
	closed  bool
}

func newOutbox() *outbox { return &outbox{ready: make(chan struct{}, 1)} }

// add appends an event. It returns false when the stream is over.
func (o *outbox) add(text []byte) bool {
	o.mu.Lock()
	if len(o.pending)+len(text) > maxPending {
		o.closed = true
	}
	if !o.closed {
		o.pending = appendEvent(o.pending, text)
	}
	open := !o.closed
	o.mu.Unlock()
	o.wake()
	return open
}

// close ends the stream once the pending events are taken.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.wake()
}

func (o *outbox) wake() {
	select {
	case o.ready <- struct{}{}:
	default:
	}
}

// take returns what is pending and puts empty in its place. open is false when nothing
// follows.
func (o *outbox) take(empty []byte) (pending []byte, open bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	pending, o.pending = o.pending, empty
	return pending, !o.closed
}

// appendEvent appends text as one server-sent event, each line of it in a data field.
// Bytes that are not UTF-8 become U+FFFD.
func appendEvent(dst, text []byte) []byte {
	dst = append(dst, "data: "...)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n' || c == '\r':
			if c == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			dst = append(dst, "\ndata: "...)
			i++
		default:
			var size int
			dst, size = appendValidRune(dst, text[i:])
			i += size
		}
	}
	return append(dst, "\n\n"...)
}
