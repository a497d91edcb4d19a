package upstashtest

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// Options shape a server; the zero value is a good one for tests.
type Options struct {
	// Addr to listen on, a loopback host:port; "" means 127.0.0.1:0.
	Addr string
	// Token grants every command; "" means a random one.
	Token string
	// ReadOnlyToken grants commands that only read; "" means there is none.
	ReadOnlyToken string
	// Redis is the engine: "" for the embedded one, otherwise
	// redis://[user:password@]host:port[/db].
	Redis string
}

// Server is a running local Upstash-compatible server. Close it.
type Server struct {
	engine        *Engine
	http          *http.Server
	url           string
	token         string
	fullDigest    [sha256.Size]byte
	readDigest    [sha256.Size]byte
	readOnlyToken bool
	served        atomic.Uint64 // answers so far; the sync token
	fault         atomic.Pointer[func(Request) Fault]
}

// New starts a server. Errors: an address that is not loopback or is taken, a
// Redis URL that cannot be read or whose server does not answer.
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
	engine, err := openEngine(o.Redis)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("upstashtest: %w", err), engine.close())
	}
	s := &Server{
		engine:        engine,
		url:           "http://" + listener.Addr().String(),
		token:         o.Token,
		fullDigest:    sha256.Sum256([]byte(o.Token)),
		readDigest:    sha256.Sum256([]byte(o.ReadOnlyToken)),
		readOnlyToken: o.ReadOnlyToken != "",
	}
	s.http = &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	go func() { _ = s.http.Serve(listener) }()
	return s, nil
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

// Redis is the engine behind, for tests that look past REST.
func (s *Server) Redis() *Engine { return s.engine }

// Close stops listening, cuts what is still running and closes the engine
// (an embedded one forgets its data; a real server keeps running).
func (s *Server) Close() error {
	return errors.Join(s.http.Close(), s.engine.close())
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
