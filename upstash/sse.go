package upstash

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

const (
	// maxEvent bounds one event of a stream, in bytes: a message of the 10 MB that Upstash
	// allows, with its channel.
	maxEvent = 11 << 20
	// sseBuffer is how much of a stream is read at once, in bytes.
	sseBuffer = 16 << 10
)

// sseReader reads the data of server-sent events. It skips other fields, comments and events
// without data.
//
// An event ends with an empty line, and its lines of data belong together. Until a server
// sends its first empty line, the reader also understands servers that leave empty lines out:
// then an event ends before a line that begins a new event, or if nothing has arrived after
// it yet.
type sseReader struct {
	r      *bufio.Reader
	limit  int
	line   []byte
	data   []byte
	filled bool // data has at least one line
	held   bool // line is the first of the next event
	strict bool // the server sends empty lines
}

func newSSE(r io.Reader, limit int) *sseReader {
	return &sseReader{r: bufio.NewReaderSize(r, sseBuffer), limit: limit}
}

// next returns the data of the next event, valid until the following call. It drops an event
// that is cut off: it may be half a message. errTooLong is final.
func (s *sseReader) next() ([]byte, error) {
	s.data, s.filled = s.data[:0], false
	for {
		if !s.held {
			if err := s.readLine(); err != nil {
				return nil, err
			}
		}
		s.held = false
		if len(s.line) == 0 {
			s.strict = true
			if s.filled {
				return s.data, nil
			}
			continue
		}
		value, ok := dataOf(s.line)
		switch {
		case !ok:
			continue
		case s.filled && !s.strict && beginsEvent(value):
			s.held = true
			return s.data, nil
		case s.filled:
			s.data = append(s.data, '\n')
		}
		if len(s.data)+len(value) > s.limit {
			return nil, errTooLong
		}
		s.data = append(s.data, value...)
		s.filled = true
		if !s.strict && s.r.Buffered() == 0 {
			return s.data, nil
		}
	}
}

// readLine reads a line without its end, LF or CRLF.
func (s *sseReader) readLine() error {
	s.line = s.line[:0]
	for {
		part, err := s.r.ReadSlice('\n')
		if len(s.line)+len(part) > s.limit+sseBuffer {
			return errTooLong
		}
		s.line = append(s.line, part...)
		switch err {
		case nil:
			s.line = bytes.TrimSuffix(s.line[:len(s.line)-1], []byte("\r"))
			return nil
		case bufio.ErrBufferFull:
		default:
			return err
		}
	}
}

// dataOf returns the value of a line of data.
func dataOf(line []byte) (value []byte, ok bool) {
	value, ok = bytes.CutPrefix(line, []byte("data:"))
	return bytes.TrimPrefix(value, []byte(" ")), ok
}

func beginsEvent(data []byte) bool {
	kind, _, _ := bytes.Cut(data, []byte(","))
	switch string(kind) {
	case "subscribe", "psubscribe", "unsubscribe", "punsubscribe", "message", "pmessage":
		return true
	}
	return false
}

// frame is one event: a message, or the confirmation of a subscription.
type frame struct {
	kind    string
	message Message
}

// parseFrame parses KIND,NAME,… where a name may contain commas if it is one of those
// subscribed to. ok is false for an unknown event. The channel that a pattern matched is read
// up to its first comma.
func parseFrame(data string, names []string) (f frame, ok bool) {
	kind, rest, ok := strings.Cut(data, ",")
	if !ok {
		return frame{}, false
	}
	name, rest, ok := cutName(rest, names)
	if !ok {
		return frame{}, false
	}
	f.kind = kind
	switch kind {
	case "subscribe", "psubscribe":
		f.message.Channel = name
		return f, true
	case "message":
		f.message = Message{Channel: name, Payload: rest}
		return f, true
	case "pmessage":
		channel, payload, ok := strings.Cut(rest, ",")
		if !ok {
			return frame{}, false
		}
		f.message = Message{Pattern: name, Channel: channel, Payload: payload}
		return f, true
	}
	return frame{}, false
}

// cutName cuts off the longest of the names or, if none matches, the text before the first
// comma.
func cutName(text string, names []string) (name, rest string, ok bool) {
	for _, n := range names {
		if len(n) >= len(name) && len(text) > len(n) && text[len(n)] == ',' && strings.HasPrefix(text, n) {
			name, rest, ok = n, text[len(n)+1:], true
		}
	}
	if ok {
		return name, rest, true
	}
	return strings.Cut(text, ",")
}
