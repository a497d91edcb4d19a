package upstashtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

const (
	maxConns      = 128
	connBuffer    = 16 << 10
	dialTimeout   = 5 * time.Second
	engineTimeout = 30 * time.Second // one request's work at the engine
	// writeAheadBytes is the size beyond which a batch is written while its replies are
	// read. An engine that stops reading until its replies are read (miniredis does)
	// could block a plain write for ever.
	writeAheadBytes = 64 << 10
)

var errClosed = errors.New("upstashtest: server is closed")

// conn is one connection to the engine.
type conn struct {
	net.Conn
	*resp.Reader
	out []byte // commands gathered for one write
}

// send writes the gathered commands. For a large batch, writing continues while the
// caller reads; the caller calls wait after the last reply. After an error the connection must
// be closed, which also ends the writer.
func (c *conn) send() (wait func() error, err error) {
	if len(c.out) <= writeAheadBytes {
		_, err := c.Write(c.out)
		return func() error { return nil }, err
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.Write(c.out)
		done <- err
	}()
	return func() error { return <-done }, nil
}

// do runs one command whose reply is a value.
func (c *conn) do(args ...[]byte) (any, error) {
	c.out = resp.AppendCommand(c.out[:0], args...)
	wait, err := c.send()
	if err != nil {
		return nil, err
	}
	v, err := c.Value(0)
	if err != nil {
		return nil, err
	}
	return v, wait()
}

// pool keeps idle connections, last used first, and bounds the number of open ones.
type pool struct {
	addr  string
	setup [][][]byte // commands for a new connection: AUTH, SELECT
	slots chan struct{}

	mu     sync.Mutex
	idle   []*conn
	closed bool
}

// newPool reads redis://[user:password@]host:port[/db].
func newPool(rawURL string) (*pool, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("upstashtest: redis URL cannot be read; want redis://[user:password@]host:port[/db]")
	}
	if u.Scheme != "redis" || u.Hostname() == "" {
		return nil, fmt.Errorf("upstashtest: redis URL %q, want redis://[user:password@]host:port[/db]", u.Redacted())
	}
	p := &pool{addr: u.Host, slots: make(chan struct{}, maxConns)}
	if u.Port() == "" {
		p.addr = net.JoinHostPort(u.Hostname(), "6379")
	}
	if password, ok := u.User.Password(); ok {
		auth := [][]byte{[]byte("AUTH")}
		if name := u.User.Username(); name != "" {
			auth = append(auth, []byte(name))
		}
		p.setup = append(p.setup, append(auth, []byte(password)))
	}
	if db := u.Path; db != "" && db != "/" {
		if n, err := strconv.Atoi(db[1:]); err != nil || n < 0 {
			return nil, fmt.Errorf("upstashtest: database %q in the redis URL, want a number such as /0", db[1:])
		}
		p.setup = append(p.setup, [][]byte{[]byte("SELECT"), []byte(db[1:])})
	}
	return p, nil
}

// with lends a connection to f. After an error of f it closes that connection and all
// idle ones: another engine may be there by now.
func (p *pool) with(ctx context.Context, f func(*conn) error) error {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.slots }()
	c, err := p.take(ctx)
	if err != nil {
		return err
	}
	deadline := time.Now().Add(engineTimeout)
	if sooner, ok := ctx.Deadline(); ok && sooner.Before(deadline) {
		deadline = sooner
	}
	if err := c.SetDeadline(deadline); err != nil {
		p.drop(c)
		return err
	}
	if err := f(c); err != nil {
		p.drop(c)
		return err
	}
	p.put(c)
	return nil
}

func (p *pool) take(ctx context.Context) (*conn, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return p.dial(ctx)
}

func (p *pool) dial(ctx context.Context) (*conn, error) {
	d := net.Dialer{Timeout: dialTimeout}
	nc, err := d.DialContext(ctx, "tcp", p.addr)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: nc, Reader: resp.NewReader(bufio.NewReaderSize(nc, connBuffer))}
	_ = c.SetDeadline(time.Now().Add(engineTimeout))
	for _, args := range p.setup {
		v, err := c.do(args...)
		if refusal, ok := v.(EngineError); ok {
			err = refusal
		}
		if err != nil {
			_ = nc.Close()
			return nil, fmt.Errorf("%s: %w", args[0], err)
		}
	}
	return c, nil
}

func (p *pool) put(c *conn) {
	if cap(c.out) > connBuffer {
		c.out = nil
	}
	c.Release(keptBytes)
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		_ = c.Close()
		return
	}
	p.idle = append(p.idle, c)
	p.mu.Unlock()
}

func (p *pool) drop(c *conn) {
	_ = c.Close()
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		_ = c.Close()
	}
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		_ = c.Close()
	}
}
