package archivetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
)

// Control is a server for one test, which can stop and start again.
type Control struct {
	t       testing.TB
	options postgresd.Options
	url     string

	mu     sync.Mutex
	server *postgresd.Server // nil while it is down
}

// Server starts a server for this test alone, with one migrated, empty database.
// It takes about a second, so use Database where nothing has to break.
func Server(t testing.TB) *Control {
	t.Helper()
	port, err := steadyPort()
	if err != nil {
		t.Fatal("archivetest: ", err)
	}
	c := &Control{t: t, options: postgresd.Options{Dir: t.TempDir(), Port: port, NoSync: true}}
	t.Cleanup(c.Stop)
	c.Start()
	ctx := context.Background()
	server := c.server.URL()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal("archivetest: ", err)
	}
	defer conn.Close(ctx)
	if err := prepare(ctx, conn, server, migrated); err != nil {
		t.Fatal("archivetest: ", err)
	}
	c.url = within(server, migrated)
	return c
}

// URL opens the migrated database. It stays the same over stops and starts.
func (c *Control) URL() string { return c.url }

// Stop shuts the server down: connections are cut, new ones refused. It does nothing if the
// server is down.
func (c *Control) Stop() {
	c.t.Helper()
	c.end((*postgresd.Server).Stop)
}

// Kill crashes the server. It does nothing if the server is down.
func (c *Control) Kill() {
	c.t.Helper()
	c.end((*postgresd.Server).Kill)
}

func (c *Control) end(how func(*postgresd.Server) error) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server == nil {
		return
	}
	if err := how(c.server); err != nil {
		c.t.Error("archivetest: ", err)
	}
	c.server = nil
}

// Start starts the server again with everything that was committed, in some tens of
// milliseconds, after a Kill in about a hundred. It does nothing if the server is up.
func (c *Control) Start() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server != nil {
		return
	}
	server, err := postgresd.Start(context.Background(), c.options)
	if err != nil {
		c.t.Fatal("archivetest: ", err)
	}
	c.server = server
}

// steadyPort finds a free port below those that systems use for outgoing connections, so that
// no process takes it while the server is down.
func steadyPort() (int, error) {
	var err error
	for range 20 {
		port := 20000 + rand.IntN(10000)
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("choosing a port: %w", err)
}
