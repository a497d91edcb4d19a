package local_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
)

// Whatever ails the database, a request that needs it is answered 503, well before its own
// time is over, and play goes on.
func TestADatabaseThatHangsOrIsDroppedIsAway(t *testing.T) {
	for name, ail := range map[string]func(t *testing.T, database string, hangs *atomic.Bool){
		"hangs": func(_ *testing.T, _ string, hangs *atomic.Bool) { hangs.Store(true) },
		"dropped": func(t *testing.T, database string, _ *atomic.Bool) {
			u, err := url.Parse(database)
			require.NoError(t, err)
			name := strings.TrimPrefix(u.Path, "/")
			u.Path = "/postgres"
			conn, err := pgx.Connect(t.Context(), u.String())
			require.NoError(t, err)
			defer func() { _ = conn.Close(context.Background()) }()
			_, err = conn.Exec(t.Context(), `DROP DATABASE `+name+` WITH (FORCE)`)
			require.NoError(t, err)
			t.Cleanup(func() { // it is dropped once more at the end
				conn, err := pgx.Connect(context.Background(), u.String())
				require.NoError(t, err)
				defer func() { _ = conn.Close(context.Background()) }()
				_, err = conn.Exec(context.Background(), `CREATE DATABASE `+name)
				require.NoError(t, err)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, database, hangs := options(t), archivetest.Database(t), &atomic.Bool{}
			o.DatabaseURL = through(t, database, hangs)
			p, err := local.Start(t.Context(), o)
			require.NoError(t, err)
			defer func() { require.NoError(t, p.Close()) }()
			c := &client{t, p.URL}
			ana, operator := c.token("user_ana"), map[string]string{"Authorization": "Bearer " + p.Secrets.OpsToken}
			p.Clock.Set(time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour))
			if status, answer := c.do("GET", "/v1/leagues/me", "", c.token("user_ben")); status != http.StatusOK {
				t.Fatal(answer)
			}
			ail(t, database, hangs)
			status, answer := c.do("POST", "/v1/scores", `{"mode":"daily_frame","score":700}`, ana)
			require.Equal(t, http.StatusCreated, status, answer)
			need := []string{
				"/v1/leaderboards/daily_frame?date=2025-01-01",
				"/v1/leagues/me",
				"/v1/friends", "/v1/friends/requests",
			}
			for _, r := range ofTheDatabase(ana, operator) {
				needed := slices.Contains(need, r.path)
				if name == "hangs" && !needed && r.path != "/v1/me" {
					continue // each of these waits
				}
				status, answer := c.do(r.method, r.path, r.body, r.header)
				if needed {
					require.Equal(t, http.StatusServiceUnavailable, status, "%s %s: %v", r.method, r.path, answer)
				} else if status != http.StatusServiceUnavailable {
					require.Less(t, status, 500, "%s %s: %v", r.method, r.path, answer)
				}
			}
		})
	}
}

// through returns the address of a database behind a proxy, which passes nothing on once hangs
// is set.
func through(t *testing.T, database string, hangs *atomic.Bool) string {
	u, err := url.Parse(database)
	require.NoError(t, err)
	server := u.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	pass := func(to, from net.Conn) {
		defer to.Close()
		buffer := make([]byte, 64<<10)
		for {
			n, err := from.Read(buffer)
			if err != nil {
				return
			}
			if hangs.Load() {
				_, _ = io.Copy(io.Discard, from)
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
	}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				_ = near.Close()
				continue
			}
			go pass(far, near)
			go pass(near, far)
		}
	}()
	u.Host = l.Addr().String()
	return u.String()
}
