package upstashtest

import (
	"bufio"
	"net"
	"sync"
)

// others is a listener over no socket: net/http accepts from it the connections that the
// plain loop hands over.
type others struct {
	addr   net.Addr
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func newOthers(addr net.Addr) *others {
	return &others{addr: addr, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// take hands a connection over. After Close it returns false, and the caller keeps the
// connection.
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

// unread is a connection of which r has already read some bytes.
type unread struct {
	net.Conn
	r *bufio.Reader // holds those bytes
}

func (c *unread) Read(p []byte) (int, error) {
	if c.r.Buffered() > 0 {
		return c.r.Read(p)
	}
	return c.Conn.Read(p)
}
