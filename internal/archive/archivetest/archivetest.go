// Package archivetest makes Postgres databases for tests, each with the history's tables, on a
// real server that it starts on this machine.
//
// It knows how to start servers and copy databases. It does not know what the tables mean.
package archivetest

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/dev/postgresd"
	"github.com/framedle/leaderboards/migrations"
)

// migrated is the database that all others are copies of.
const migrated = "migrated"

// shared is one server for all tests of a process, since a server takes most of a second to
// start. It is a package variable because a test binary has no other place for it. It ends
// with the process, and its directory is then removed.
var shared = sync.OnceValues(startCluster)

// Database returns the URL of a fresh, migrated, empty database. The database is dropped, with
// its connections, when the test ends. The first one in a process takes about a second,
// further ones some tens of milliseconds. If this machine has no Postgres, the test fails and
// says what to install.
func Database(t testing.TB) string {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal("archivetest: ", err)
	}
	name, err := c.copy(context.Background())
	if err != nil {
		t.Fatal("archivetest: ", err)
	}
	t.Cleanup(func() {
		if err := c.drop(context.Background(), name); err != nil {
			t.Error("archivetest: ", err)
		}
	})
	return within(c.server.URL(), name)
}

// cluster is a server with a connection on which databases are made.
type cluster struct {
	server *postgresd.Server
	mu     sync.Mutex // conn serves one at a time
	conn   *pgx.Conn
	count  int
}

func startCluster() (*cluster, error) {
	ctx := context.Background()
	server, err := postgresd.Start(ctx, postgresd.Options{})
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		return nil, err
	}
	return &cluster{server: server, conn: conn}, prepare(ctx, conn, server.URL(), migrated)
}

// prepare makes a migrated database.
func prepare(ctx context.Context, conn *pgx.Conn, url, name string) error {
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return fmt.Errorf("creating a database: %w", err)
	}
	_, err := migrations.Up(ctx, within(url, name))
	return err
}

func (c *cluster) copy(ctx context.Context) (name string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	name = fmt.Sprintf("test_%d", c.count)
	if _, err := c.conn.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE "+migrated); err != nil {
		return "", fmt.Errorf("copying a database: %w", err)
	}
	return name, nil
}

func (c *cluster) drop(ctx context.Context, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("dropping a database: %w", err)
	}
	return nil
}

// within returns the URL of another database on the same server.
func within(server, database string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server // postgresd wrote this URL, so it parses
	}
	u.Path = "/" + database
	return u.String()
}
