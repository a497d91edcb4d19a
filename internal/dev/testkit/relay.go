package testkit

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Relay is a proxy in front of a database's Postgres, so that tests can do something before any
// one round trip to it.
type Relay struct {
	URL string // of the database, through the relay

	tb       testing.TB
	database string

	mu        sync.Mutex
	trips     int
	at        int // 0: every one
	meanwhile func()
	done      chan struct{} // closed when meanwhile has ended
}

// NewRelay puts a relay before the database at a URL.
func NewRelay(tb testing.TB, database string) *Relay {
	tb.Helper()
	to, err := url.Parse(database)
	require.NoError(tb, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = listener.Close() })
	through := *to
	through.Host = listener.Addr().String()
	r := &Relay{URL: through.String(), tb: tb, database: database}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to.Host)
			if err != nil {
				_ = client.Close()
				return
			}
			go r.carry(client, server)
		}
	}()
	return r
}

// carry carries a connection, and counts each time that the client writes after the server has
// answered.
func (r *Relay) carry(client, server net.Conn) {
	defer func() { _, _ = client.Close(), server.Close() }()
	var mu sync.Mutex
	answered := true
	go func() {
		defer func() { _, _ = client.Close(), server.Close() }()
		bytes := make([]byte, 64<<10)
		for {
			n, err := server.Read(bytes)
			mu.Lock()
			answered = true
			mu.Unlock()
			if _, failed := client.Write(bytes[:n]); failed != nil || err != nil {
				return
			}
		}
	}()
	bytes := make([]byte, 64<<10)
	for {
		n, err := client.Read(bytes)
		if err != nil {
			return
		}
		mu.Lock()
		trip := answered
		answered = false
		mu.Unlock()
		if trip {
			r.trip()
		}
		if _, err := server.Write(bytes[:n]); err != nil {
			return
		}
	}
}

// Before runs do just before the n-th round trip from now on; do itself must not go through the
// relay. If do waits for a lock in Postgres, the round trip continues meanwhile. end stops that,
// waits for do, and reports whether there were n round trips.
func (r *Relay) Before(n int, do func()) (end func() bool) { return r.begin(n, do) }

// BeforeEach is Before for every round trip, except while an earlier do waits for a lock.
func (r *Relay) BeforeEach(do func()) (end func()) {
	stop := r.begin(0, do)
	return func() { stop() }
}

func (r *Relay) begin(at int, do func()) (end func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trips, r.at, r.meanwhile, r.done = 0, at, do, nil
	return func() bool {
		r.mu.Lock()
		r.meanwhile = nil
		done := r.done
		r.mu.Unlock()
		if done != nil {
			<-done
		}
		return done != nil
	}
}

func (r *Relay) trip() {
	if done := r.due(); done != nil {
		r.await(done)
	}
}

// due begins what is to be done before this round trip; nil: nothing.
func (r *Relay) due() (done chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trips++
	do := r.meanwhile
	if do == nil || r.at > 0 && r.trips != r.at || r.running() {
		return nil
	}
	done = make(chan struct{})
	r.done = done
	go func() {
		defer close(done)
		do()
	}()
	return done
}

func (r *Relay) running() bool {
	if r.done == nil {
		return false
	}
	select {
	case <-r.done:
		return false
	default:
		return true
	}
}

// await returns when do has ended, or waits for a lock.
func (r *Relay) await(done chan struct{}) {
	c, err := pgx.Connect(context.Background(), r.database)
	if err != nil {
		r.tb.Error(err)
		return
	}
	defer func() { _ = c.Close(context.Background()) }()
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
		var waits bool
		if err := c.QueryRow(context.Background(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits); err != nil {
			r.tb.Error(err)
			return
		}
		if waits {
			return
		}
	}
}
