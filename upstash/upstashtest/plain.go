package upstashtest

import (
	"bufio"
	"bytes"
	"context"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"
)

// maxPlainBytes bounds a plain request, head and body together.
const maxPlainBytes = 8 << 10

// plain serves a connection while its requests are plain: an HTTP/1.1 GET, POST or PUT
// that arrives in one piece, asks for no stream and does not ask to close the connection.
// For these it does what net/http does, but does not watch the connection while the
// command runs: watching costs more than the command. net/http parses the requests.
type plain struct {
	conn net.Conn
	in   *bufio.Reader // of conn
	out  []byte        // an answer, for one write

	text bytes.Reader  // over what in holds
	head *bufio.Reader // over text
}

func newPlain(c net.Conn) *plain {
	p := &plain{conn: c, in: bufio.NewReaderSize(c, maxPlainBytes)}
	p.head = bufio.NewReaderSize(&p.text, maxPlainBytes)
	return p
}

// loop serves requests until the connection is over. continues is true if the next
// request is for net/http; loop has then consumed nothing of it.
func (p *plain) loop(ctx context.Context, f *front) (continues bool) {
	for {
		if _, err := p.in.Peek(1); err != nil {
			return false
		}
		r, size := p.next()
		if r == nil || f.slow != nil && f.slow() {
			return true
		}
		if !p.answer(f.handler, r.WithContext(ctx)) {
			return false
		}
		_, _ = p.in.Discard(size) // never more than it holds
	}
}

// next returns the request that has arrived and its size in bytes, or nil if the
// request is not plain.
func (p *plain) next() (r *http.Request, size int) {
	text, _ := p.in.Peek(p.in.Buffered())
	end := bytes.Index(text, []byte("\r\n\r\n"))
	if end < 0 {
		return nil, 0
	}
	end += len("\r\n\r\n")
	p.text.Reset(text)
	p.head.Reset(&p.text)
	r, err := http.ReadRequest(p.head)
	if err != nil || !isPlain(r) || r.ContentLength > int64(len(text)-end) {
		return nil, 0
	}
	return r, end + int(r.ContentLength)
}

func isPlain(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut:
	default:
		return false
	}
	return r.Proto == "HTTP/1.1" && r.Host != "" && !r.Close &&
		r.ContentLength >= 0 && len(r.TransferEncoding) == 0 &&
		r.Header["Expect"] == nil && r.Header["Upgrade"] == nil &&
		streamKind(r.URL.EscapedPath()) == ""
}

// answer runs the handler and writes its answer. It returns false when the connection is
// over.
func (p *plain) answer(h http.Handler, r *http.Request) (continues bool) {
	// A handler panics with http.ErrAbortHandler to end a connection without an answer.
	// Any other panic is logged, as net/http does.
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if v != http.ErrAbortHandler {
			log.Printf("upstashtest: panic serving %s: %v\n%s", r.RemoteAddr, v, debug.Stack())
		}
		continues = false
	}()
	w := plainWriter{header: make(http.Header, 4), out: p.out[:0]}
	h.ServeHTTP(&w, r)
	if p.out = w.out; cap(p.out) > keptBytes {
		p.out = nil
	}
	_, err := p.conn.Write(w.out)
	return err == nil && w.header["Connection"] == nil
}

// plainWriter gathers an answer whose handler sets its Content-Length.
type plainWriter struct {
	header http.Header
	out    []byte
}

func (w *plainWriter) Header() http.Header { return w.header }

func (w *plainWriter) WriteHeader(status int) {
	w.out = append(w.out, "HTTP/1.1 "...)
	w.out = strconv.AppendInt(w.out, int64(status), 10)
	w.out = append(w.out, ' ')
	w.out = append(w.out, http.StatusText(status)...)
	w.out = append(w.out, "\r\nDate: "...)
	w.out = time.Now().UTC().AppendFormat(w.out, http.TimeFormat)
	w.out = append(w.out, "\r\n"...)
	for name, values := range w.header {
		for _, value := range values {
			w.out = append(w.out, name...)
			w.out = append(w.out, ": "...)
			w.out = append(w.out, value...)
			w.out = append(w.out, "\r\n"...)
		}
	}
	w.out = append(w.out, "\r\n"...)
}

func (w *plainWriter) Write(b []byte) (int, error) {
	w.out = append(w.out, b...)
	return len(b), nil
}
