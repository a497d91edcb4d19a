package upstashtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// acceptPause is how long accepting waits after an error, such as too many
// open files.
const acceptPause = 5 * time.Millisecond

// front listens and passes requests to the handler. It can be closed and opened again.
type front struct {
	handler http.Handler
	// slow, if not nil, reports whether every request must go through net/http.
	slow func() bool

	mu   sync.Mutex
	open *opening // nil while closed
}

// opening is a front while it is open. A connection starts in the plain loop, and is
// handed to net/http at its first request that is not plain.
type opening struct {
	front  *front
	tcp    net.Listener
	others *others
	server *http.Server // serves others
	ctx    context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	conns map[net.Conn]bool // in the plain loop; nil once closed
}

// listen starts listening, unless the front already does, and returns the address.
func (f *front) listen(addr string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open != nil {
		return addr, nil
	}
	tcp, err := net.Listen("tcp", addr)
	if err != nil {
		return "", fmt.Errorf("upstashtest: %w", err)
	}
	o := &opening{
		front:  f,
		tcp:    tcp,
		others: newOthers(tcp.Addr()),
		server: &http.Server{
			Handler:           f.handler,
			ReadHeaderTimeout: 10 * time.Second,
			ErrorLog:          log.New(io.Discard, "", 0),
		},
		conns: map[net.Conn]bool{},
	}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	f.open = o
	go func() { _ = o.server.Serve(o.others) }()
	go o.accept()
	return tcp.Addr().String(), nil
}

func (f *front) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		return nil
	}
	err := f.open.close()
	f.open = nil
	return err
}

func (o *opening) accept() {
	for {
		c, err := o.tcp.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(acceptPause)
		default:
			go o.serve(c)
		}
	}
}

// serve runs the plain loop on a new connection, and hands the connection to net/http
// if the loop asks for that.
func (o *opening) serve(c net.Conn) {
	if !o.keep(c) {
		_ = c.Close()
		return
	}
	p := newPlain(c)
	continues := p.loop(o.ctx, o.front)
	o.mu.Lock()
	delete(o.conns, c)
	o.mu.Unlock()
	if !continues || !o.others.take(&unread{Conn: c, r: p.in}) {
		_ = c.Close()
	}
}

func (o *opening) keep(c net.Conn) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.conns == nil {
		return false
	}
	o.conns[c] = true
	return true
}

// close stops listening and cuts every connection.
func (o *opening) close() error {
	o.cancel()
	err := errors.Join(o.tcp.Close(), o.server.Close())
	o.mu.Lock()
	conns := o.conns
	o.conns = nil
	o.mu.Unlock()
	for c := range conns {
		_ = c.Close()
	}
	return err
}
