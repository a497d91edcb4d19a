package upstashtest

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// front is the HTTP server in front of the handler. It can be closed and
// opened again.
type front struct {
	handler http.Handler

	mu     sync.Mutex
	server *http.Server // nil while closed
}

// open listens, where it does not already, and returns the address.
func (f *front) open(addr string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.server != nil {
		return addr, nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return "", fmt.Errorf("upstashtest: %w", err)
	}
	server := &http.Server{
		Handler:           f.handler,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	f.server = server
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String(), nil
}

func (f *front) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.server == nil {
		return nil
	}
	err := f.server.Close()
	f.server = nil
	return err
}
