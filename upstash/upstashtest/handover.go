package upstashtest

import (
	"bufio"
	"net"
	"sync"
)

// others is the listener from which net/http gets the connections that the
// plain loop leaves to it.
type others struct {
	addr   net.Addr
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func newOthers(addr net.Addr) *others {
	return &others{addr: addr, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// take hands a connection over. It returns false after Close, and the
// connection is then still the caller's.
func (l *others) take(c net.Conn) bool {
	select {
	case l.conns <- c:
		return true
	case <-l.closed:
		return false
	}
}

func (l *others) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *others) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *others) Addr() net.Addr { return l.addr }

// unread is a connection of which something has been read ahead.
type unread struct {
	net.Conn
	r *bufio.Reader // holds it
}

func (c *unread) Read(p []byte) (int, error) {
	if c.r.Buffered() > 0 {
		return c.r.Read(p)
	}
	return c.Conn.Read(p)
}
