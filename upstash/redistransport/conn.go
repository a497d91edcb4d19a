package redistransport

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"
)

// errOld is why the pool closes a connection instead of using it again.
var errOld = errors.New("made before connections were found dead")

// conn is a connection that knows whether others of its age were found dead.
type conn struct {
	net.Conn
	born    int64
	current *atomic.Int64 // the age of new connections
}

// The pool calls SyscallConn before it uses a connection again.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if c.born != c.current.Load() {
		return nil, errOld
	}
	if plain, ok := c.Conn.(syscall.Conn); ok {
		return plain.SyscallConn()
	}
	return unseen{}, nil
}

// unseen is the socket under TLS: what has arrived there says nothing, so the
// pool's look at it finds nothing.
type unseen struct{}

func (unseen) Control(func(uintptr)) error    { return nil }
func (unseen) Read(func(uintptr) bool) error  { return nil }
func (unseen) Write(func(uintptr) bool) error { return nil }

// CloseIdleConnections makes the pool close each of the present connections, once it is idle,
// instead of using it again.
func (t *Transport) CloseIdleConnections() { t.age.Add(1) }
