package upstash

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// longestDirect is the largest body of a request on a direct connection, in bytes. It fits
	// into the buffers of any socket: writing it ends whether or not the server reads, so the
	// answer can be read afterwards. Longer requests go through net/http, which reads while it
	// writes.
	longestDirect = 32 << 10
	// maxIdle is less than the 60 s after which common load balancers hang up.
	maxIdle = 55 * time.Second
	// maxInterim bounds the interim answers (1xx) before the one that counts.
	maxInterim = 5
)

var (
	errLongHead = errors.New("answer's header is too long")
	// longAgo as a deadline ends every read and write that waits on a connection.
	longAgo = time.Unix(1, 0)
)

// direct sends short requests of HTTP/1.1 over connections of its own. The calling goroutine
// writes the request and reads the answer. net/http has two goroutines for each connection;
// waking them and being woken is most of the cost of a call.
//
// A request is written only once. Before writing, direct looks at the socket and so notices
// that the server has closed the connection.
type direct struct {
	dialer  *net.Dialer
	tls     *tls.Config // nil: no TLS
	address string
	heads   [opListen]string // the beginning of requests of each form

	mu   sync.Mutex
	idle []*line // the last one is the one used last
}

// newDirect makes a direct for the database at base, with the dialer and the TLS of net/http.
func newDirect(c *Client, base *url.URL) *direct {
	d := &direct{dialer: newDialer()}
	port := base.Port()
	if base.Scheme == "https" {
		d.tls = newTLS()
		d.tls.ServerName = base.Hostname()
		if port == "" {
			port = "443"
		}
	} else if port == "" {
		port = "80"
	}
	d.address = net.JoinHostPort(base.Hostname(), port)
	for op, target := range map[op]*url.URL{opDo: c.single, opPipeline: c.pipeline, opMultiExec: c.multi} {
		head := "POST " + target.RequestURI() + " HTTP/1.1\r\nHost: " + base.Host +
			"\r\nAuthorization: " + c.bearer[0] + "\r\nContent-Type: application/json\r\n"
		if !c.textAnswers {
			head += "Upstash-Encoding: base64\r\n"
		}
		d.heads[op] = head + "Content-Length: "
	}
	return d
}

// send makes an attempt. The caller must close the answer's body; until then, the attempt ends
// if ctx ends.
func (d *direct) send(ctx context.Context, x *exchange, syncToken string) (*http.Response, error) {
	x.asks()
	began := time.Now()
	l, err := d.get(ctx, x)
	if err != nil {
		return nil, err
	}
	x.gets()
	x.watch.begin(ctx, l, x, began)
	b := append(l.out[:0], d.heads[x.request.op]...)
	b = strconv.AppendInt(b, int64(len(x.body.bytes)), 10)
	if syncToken != "" {
		b = append(append(b, "\r\n"+syncHeader+": "...), syncToken...)
	}
	l.out = append(append(b, "\r\n\r\n"...), x.body.bytes...)
	_, unwritten := l.Write(l.out)
	x.writes()
	// A server that refuses a request need not read it: the answer then says why.
	res, err := l.answer()
	if err != nil {
		x.watch.end()
		_ = l.Close()
		if unwritten != nil {
			err = unwritten
		}
		return nil, err
	}
	res.Body = &directBody{ReadCloser: res.Body, from: d, line: l, watch: &x.watch, spoilt: unwritten != nil || res.Close}
	return res, nil
}

// directBody is the body of an answer. When it is closed, its connection becomes free.
type directBody struct {
	io.ReadCloser
	from   *direct
	line   *line
	watch  *watch
	ended  bool // the whole body was read
	spoilt bool // the connection cannot be used again
}

func (b *directBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *directBody) Close() error {
	if !b.watch.end() || b.spoilt || !b.ended || b.line.r.Buffered() > 0 {
		return b.line.Close()
	}
	b.from.put(b.line)
	return nil
}

// get returns an idle connection that still works, or a new one.
func (d *direct) get(ctx context.Context, x *exchange) (*line, error) {
	for {
		l := d.take()
		if l == nil {
			return d.dialFor(ctx, x)
		}
		if time.Since(l.idleSince) < maxIdle && l.works() {
			return l, nil
		}
		_ = l.Close()
	}
}

// take removes the connection that was used last from idle; nil: none is idle.
func (d *direct) take() *line {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := len(d.idle) - 1
	if last < 0 {
		return nil
	}
	l := d.idle[last]
	d.idle[last] = nil
	d.idle = d.idle[:last]
	return l
}

// put makes a connection idle. It closes the one that has been idle for longest, if that is
// too long or too many are idle.
func (d *direct) put(l *line) {
	l.idleSince = time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.idle = append(d.idle, l)
	if oldest := d.idle[0]; len(d.idle) > maxIdlePerHost || l.idleSince.Sub(oldest.idleSince) >= maxIdle {
		_ = oldest.Close()
		d.idle = append(d.idle[:0], d.idle[1:]...)
	}
}

func (d *direct) closeIdle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.idle {
		_ = l.Close()
	}
	clear(d.idle)
	d.idle = d.idle[:0]
}

// dialFor is dial within the time of an attempt. Nothing has been sent yet, so every attempt,
// repeatable or not, may be given up after hearing nothing for too long.
func (d *direct) dialFor(ctx context.Context, x *exchange) (*line, error) {
	end, why := x.end, error(nil)
	if quiet := time.Now().Add(x.quiet); x.quiet > 0 && quiet.Before(end) {
		end, why = quiet, quietError(x.quiet)
	}
	ctx, cancel := context.WithDeadlineCause(ctx, end, why)
	defer cancel()
	l, err := d.dial(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return l, err
}

func (d *direct) dial(ctx context.Context) (*line, error) {
	conn, err := d.dialer.DialContext(ctx, "tcp", d.address)
	if err != nil {
		return nil, err
	}
	l := &line{Conn: conn}
	if socket, ok := conn.(syscall.Conn); ok {
		if l.socket, err = socket.SyscallConn(); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	if d.tls != nil {
		secure := tls.Client(conn, d.tls)
		ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
		defer cancel()
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		l.Conn, l.secure = secure, true
	}
	l.r = bufio.NewReader(l)
	return l, nil
}

// line is a connection.
type line struct {
	net.Conn
	socket    syscall.RawConn // also under TLS; nil: cannot be examined
	secure    bool
	r         *bufio.Reader
	left      int64  // how many bytes may still be read
	out       []byte // the request; kept for the next one
	idleSince time.Time
}

// Read reads no more than left bytes, since headers have no length of their own.
func (l *line) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongHead
	}
	n, err := l.Conn.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// answer reads the header of an answer.
func (l *line) answer() (*http.Response, error) {
	l.left = maxHeadBytes
	for range maxInterim {
		res, err := http.ReadResponse(l.r, nil)
		if err == io.ErrUnexpectedEOF || err == io.EOF {
			err = errHungUp
		}
		if err != nil || res.StatusCode >= http.StatusOK {
			l.left = math.MaxInt64
			return res, err
		}
	}
	return nil, errors.New("too many interim answers")
}

var errHungUp = errors.New("the server hung up without an answer")

// works reports whether nothing has arrived on an idle connection: neither its end, nor an
// unexpected answer.
func (l *line) works() bool {
	if l.secure && !l.readAll() {
		return false
	}
	return l.socket == nil || isSilent(l.socket)
}

// readAll reports whether TLS has nothing buffered that it has read from its socket.
func (l *line) readAll() bool {
	if l.SetReadDeadline(longAgo) != nil { // so that TLS reads nothing from its socket
		return false
	}
	var one [1]byte
	_, err := l.Conn.Read(one[:])
	return errors.Is(err, os.ErrDeadlineExceeded) && l.SetReadDeadline(time.Time{}) == nil
}

// watch ends an attempt on a direct connection: with its context, with the call or, if the
// attempt may be repeated, after hearing nothing for too long. It uses one timer and no
// contexts: a context costs as much as reading a short answer.
type watch struct {
	line      *line
	over      time.Time     // end of the call
	quiet     time.Duration // how long the attempt may hear nothing
	impatient bool          // hearing nothing for that long ends the attempt
	late      bool          // something arrived after the time had run out: the connection is cut, or soon will be

	timer *time.Timer
	leave func() bool // stops waiting for the context
	ended atomic.Int32
}

// Why a watch has ended an attempt.
const (
	notEnded int32 = iota
	atEnd
	inQuiet
)

// begin begins to watch an attempt that began at began.
func (w *watch) begin(ctx context.Context, l *line, x *exchange, began time.Time) {
	w.line, w.over, w.quiet = l, x.end, x.quiet
	w.impatient = x.quiet > 0 && x.request.safe()
	at := w.over
	if quiet := began.Add(w.quiet); w.impatient && quiet.Before(at) {
		at = quiet
	}
	w.leave = context.AfterFunc(ctx, w.cut)
	w.timer = time.AfterFunc(time.Until(at), w.timeIsOver)
}

func (w *watch) timeIsOver() {
	if w.impatient && time.Now().Before(w.over) {
		w.ended.Store(inQuiet)
	} else {
		w.ended.Store(atEnd)
	}
	w.cut()
}

// cut ends every read and write that waits on the connection.
func (w *watch) cut() { _ = w.line.SetDeadline(longAgo) }

// hears notes that something has arrived.
func (w *watch) hears() {
	if !w.timer.Reset(min(w.quiet, time.Until(w.over))) {
		w.late = true
	}
}

// end ends the watch. It reports whether the connection is unharmed.
func (w *watch) end() (free bool) {
	left, stopped := w.leave(), w.timer.Stop()
	return left && stopped && !w.late
}

// why returns why the watch ended the attempt; nil: it did not, or the context did.
func (w *watch) why() error {
	switch w.ended.Load() {
	case inQuiet:
		return quietError(w.quiet)
	case atEnd:
		return context.DeadlineExceeded
	}
	return nil
}
