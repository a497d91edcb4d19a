package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// killTime is what Cloud Run leaves between SIGTERM and SIGKILL:
	// https://cloud.google.com/run/docs/container-contract#instance-shutdown
	killTime = 10 * time.Second
	// AfterRequests is what of that is left, when Run and Serve have returned, to
	// whoever called them.
	AfterRequests = 2 * time.Second
	// shutdownTimeout is what requests under way have, with a second to spare for
	// the rest of the process's end.
	shutdownTimeout = killTime - AfterRequests - time.Second
	// readTimeout bounds a slow client; the largest body, 1 MiB, needs far less.
	readTimeout    = 15 * time.Second
	headerTimeout  = 5 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
)

var errStreams = errors.New("streams have not ended")

// Serve answers requests on ln with h until ctx ends, then lets those under way
// finish for at most 7 s and returns nil, or an error when some had to be cut.
// Each request's context ends after timeout, but for answers that are a [Stream], or on a connection that was [Taken]. It
// closes ln.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, timeout time.Duration, errorLog io.Writer) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var taken sync.WaitGroup
	srv := &http.Server{
		Handler:           withTimeout(ctx, &taken, h, timeout),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + timeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(errorLog, "", 0),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	patience, done := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer done()
	ended := make(chan struct{})
	err := srv.Shutdown(patience)
	go func() { taken.Wait(); close(ended) }() // no request under way can take another
	select {
	case <-ended:
	case <-patience.Done():
		err = errors.Join(err, errStreams)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("requests were still under way %v after the stop: %w", shutdownTimeout, err), srv.Close())
	}
	return nil
}

// trustFrontEnd takes the caller's address from the last entry of X-Forwarded-For,
// the one that Cloud Run's own front end adds; earlier entries are the client's
// word. No caller is this machine, whatever the entry says.
func trustFrontEnd(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
		last := strings.TrimSpace(forwarded[strings.LastIndexByte(forwarded, ',')+1:])
		if ip := net.ParseIP(last); ip != nil && !ip.IsLoopback() {
			r.RemoteAddr = remoteAddr(last)
		}
		h.ServeHTTP(w, r)
	})
}
