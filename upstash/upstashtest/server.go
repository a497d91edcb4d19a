package upstashtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Options shape a server; the zero value is a good one for tests.
type Options struct {
	// Addr is the address to listen on, a loopback host:port; "" means 127.0.0.1:0.
	Addr string
	// Token grants every command; "" means a random one.
	Token string
	// ReadOnlyToken grants commands that only read; "" means there is none.
	ReadOnlyToken string
	// Redis is the engine: "" for the embedded one, otherwise the URL of a server,
	// redis://[user:password@]host:port[/db].
	Redis string
	// Plan limits the server as Upstash would; nil means one limit only, 10 MB a command.
	Plan *Plan
	// TellCost adds the header X-Billed-Commands to every answer. Over a given Redis the
	// header does not include the commands that scripts called; [Server.Usage] does.
	TellCost bool
	// ReplicaLag is how far behind a replica is that answers the requests which only
	// read, unless a request carries the Upstash-Sync-Token of the state that it wants to
	// see. 0 means no replica. Over the embedded engine only.
	ReplicaLag time.Duration
	// StrictRedis makes the server answer as Redis does even if Upstash is known to differ;
	// see docs/internals/upstash-local.md.
	StrictRedis bool
}

// Server is a running local Upstash-compatible server. Its methods are safe for
// concurrent use.
type Server struct {
	engine        *Engine
	replica       *replica // nil if reads are never stale
	plan          *Plan    // nil for no limits
	pace          pace
	requestBytes  int
	bodyTimeout   time.Duration
	tellCost      bool
	url           string
	token         string
	fullDigest    [sha256.Size]byte
	readDigest    [sha256.Size]byte
	readOnlyToken bool
	served        atomic.Uint64 // answers so far; the sync token
	fault         atomic.Pointer[func(Request) Fault]
	ledger        ledger
	monitors      monitors
	front         front
}

// New starts a server. Outside tests, Close it. Errors: an address that is not loopback
// or is taken, two equal tokens, a Redis URL that cannot be read, a Redis that does not
// answer within 5 s, a replica of a given Redis.
func New(o Options) (*Server, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if err := requireLoopback(o.Addr); err != nil {
		return nil, err
	}
	if o.Token == "" {
		o.Token = rand.Text()
	}
	if o.ReadOnlyToken == o.Token {
		return nil, errors.New("upstashtest: read-only token equals the full token; choose another")
	}
	s := &Server{
		plan:          o.Plan,
		requestBytes:  defaultRequestBytes,
		bodyTimeout:   bodyTimeout,
		tellCost:      o.TellCost,
		token:         o.Token,
		fullDigest:    sha256.Sum256([]byte(o.Token)),
		readDigest:    sha256.Sum256([]byte(o.ReadOnlyToken)),
		readOnlyToken: o.ReadOnlyToken != "",
	}
	if err := s.open(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) open(o Options) (err error) {
	if s.engine, err = openEngine(o.Redis, o.StrictRedis); err != nil {
		return err
	}
	if s.plan != nil {
		s.pace.perSecond = s.plan.CommandsPerSecond
		s.engine.maxReply = s.plan.RequestBytes
		if s.plan.RequestBytes > 0 {
			s.requestBytes = s.plan.RequestBytes
		}
	}
	if s.ledger.base, err = s.engine.unsent(context.Background()); err != nil {
		return err
	}
	if o.ReplicaLag > 0 {
		if o.Redis != "" {
			return errors.New("upstashtest: a replica needs the embedded engine; leave out the Redis URL or the replica lag")
		}
		follower, err := openEngine("", o.StrictRedis)
		if err != nil {
			return err
		}
		s.replica = &replica{engine: follower, lag: o.ReplicaLag}
	}
	s.front.handler = s.Handler()
	s.front.slow = func() bool { return s.fault.Load() != nil }
	addr, err := s.front.listen(o.Addr)
	s.url = "http://" + addr
	return err
}

// Start is New for tests: it fails tb on error and closes the server with tb.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	s, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("closing the local Upstash server: %v", err)
		}
	})
	return s
}

// URL is what UPSTASH_REDIS_REST_URL should be, without a trailing slash.
func (s *Server) URL() string { return s.url }

// Token is what UPSTASH_REDIS_REST_TOKEN should be.
func (s *Server) Token() string { return s.token }

// Redis is the engine behind the server, for tests that look past REST: commands to it
// are not billed, and pass no fault, plan or replica.
func (s *Server) Redis() *Engine { return s.engine }

// Refuse makes the server cut its connections and refuse new ones, or accept them again
// at the same address. Error: the address has been taken meanwhile.
func (s *Server) Refuse(refuse bool) error {
	if refuse {
		return s.front.close()
	}
	_, err := s.front.listen(strings.TrimPrefix(s.url, "http://"))
	return err
}

// Close stops listening, cuts the requests that still run and closes the engine. An
// embedded engine forgets its data; a real server keeps running.
func (s *Server) Close() error {
	err := s.front.close()
	if s.engine != nil {
		err = errors.Join(err, s.engine.close())
	}
	if s.replica != nil {
		err = errors.Join(err, s.replica.engine.close())
	}
	return err
}

func requireLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("upstashtest: address %q is not host:port: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("upstashtest: address %q is not loopback; use 127.0.0.1:PORT", addr)
	}
	return nil
}
