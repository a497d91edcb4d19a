package testkit

import (
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cutter is a proxy of a server, and cuts all its connections at a moment: before the server gets
// what a client sends, or after the server has done it and before the client knows.
type Cutter struct {
	Addr string // the address in place of the server's

	to   string
	mu   sync.Mutex
	left int // exchanges before the cut; negative: none comes
	dead bool
	open []net.Conn
}

// NewCutter puts a cutter before the server at a host and port.
func NewCutter(tb testing.TB, to string) *Cutter {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	c := &Cutter{Addr: listener.Addr().String(), to: to, left: -1}
	tb.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			c.connect(client)
		}
	}()
	return c
}

// After has everything cut after some pieces were carried in either direction: an odd number cuts
// mostly what the server answers, an even one what a client sends.
func (c *Cutter) After(pieces int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left, c.dead = pieces, false
}

// Mend carries everything again, and reports whether there was a cut.
func (c *Cutter) Mend() (cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cut = c.dead
	c.left, c.dead = -1, false
	return cut
}

func (c *Cutter) connect(client net.Conn) {
	server, err := net.Dial("tcp", c.to)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || c.dead {
		_ = client.Close()
		if err == nil {
			_ = server.Close()
		}
		return
	}
	c.open = append(c.open, client, server)
	go c.carry(client, server)
	go c.carry(server, client)
}

func (c *Cutter) carry(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	piece := make([]byte, 16<<10) // small, so that a large answer is in many pieces also where they pile up
	for {
		n, err := from.Read(piece)
		if err != nil || !c.passes() {
			return
		}
		if _, err := to.Write(piece[:n]); err != nil {
			return
		}
	}
}

// passes counts a piece, and cuts if it is the one.
func (c *Cutter) passes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return false
	}
	if c.left < 0 {
		return true
	}
	if c.left--; c.left >= 0 {
		return true
	}
	c.dead = true
	for _, conn := range c.open {
		_ = conn.Close()
	}
	c.open = nil
	return false
}
