package archive

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// connections are opened on demand, up to a fixed number. The one that was used last is used
// next.
type connections struct {
	config *pgx.ConnConfig
	places chan struct{} // holds one token for each connection in use

	mu   sync.Mutex
	idle []*pgx.Conn
}

func newConnections(config *pgx.ConnConfig, most int) *connections {
	return &connections{config: config, places: make(chan struct{}, most)}
}

// take waits for a free place and returns an open connection. The caller must give it back.
func (c *connections) take(ctx context.Context) (*pgx.Conn, error) {
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if conn := c.newest(); conn != nil {
		return conn, nil
	}
	conn, err := pgx.ConnectConfig(ctx, c.config)
	if err != nil {
		<-c.places
		return nil, err
	}
	readsOurTypes(conn)
	return conn, nil
}

func (c *connections) newest() *pgx.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.idle)
	if n == 0 {
		return nil
	}
	conn := c.idle[n-1]
	c.idle = c.idle[:n-1]
	return conn
}

func (c *connections) give(conn *pgx.Conn) {
	if !conn.IsClosed() {
		c.mu.Lock()
		c.idle = append(c.idle, conn)
		c.mu.Unlock()
	}
	<-c.places
}

// drop closes the idle connections: where one connection was cut, most others are too.
func (c *connections) drop(ctx context.Context) {
	c.mu.Lock()
	idle := c.idle
	c.idle = nil
	c.mu.Unlock()
	for _, conn := range idle {
		_ = conn.Close(ctx) // the connection is given up either way
	}
}
