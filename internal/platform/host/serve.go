package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	// killTime is the time between SIGTERM and SIGKILL on Cloud Run:
	// https://cloud.google.com/run/docs/container-contract#instance-shutdown
	killTime = 10 * time.Second
	// AfterRequests is the part of killTime that is left to the caller of Run or Serve after
	// they return.
	AfterRequests = 2 * time.Second
	// shutdownTimeout is how long requests under way may take to finish. It leaves one more
	// second for the end of the process.
	shutdownTimeout = killTime - AfterRequests - time.Second
	// readTimeout bounds a slow client; the largest body, 1 MiB, needs far less.
	readTimeout    = 15 * time.Second
	headerTimeout  = 5 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 32 << 10
)

var errStreams = errors.New("streams have not ended")

// Serve answers requests on ln with h until ctx ends. Then it lets requests under way finish
// for at most 7 s, and returns nil, or an error if some had to be cut. Each request's context
// ends after timeout, except for answers that are a [Stream] or use a [HijackedConn] connection.
// Serve closes ln.
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
		ErrorLog:          slog.NewLogLogger(NewLog(errorLog).Handler(), slog.LevelWarn),
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
	go func() { taken.Wait(); close(ended) }() // no request is left that could take another
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

// trustFrontEnd takes the caller's address from the last entry of X-Forwarded-For, which
// Cloud Run's front end adds. Clients can make up earlier entries. A loopback address is
// ignored, because no caller is on this machine.
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

// probeTime is how long a healthy process may take to answer.
const probeTime = 3 * time.Second

// Probe reports whether a process on this machine answers at PORT. It asks for a page that
// needs neither Redis nor a database, so that their failure does not get a process killed
// that cannot repair it.
func Probe(ctx context.Context) error {
	port := os.Getenv("PORT")
	if port == "" {
		return ErrNoHost
	}
	address := os.Getenv("HOST")
	if ip := net.ParseIP(address); address == "" || ip != nil && ip.IsUnspecified() {
		address = "127.0.0.1" // an image without /etc/hosts resolves no names
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, "http://"+net.JoinHostPort(address, port)+"/openapi.yaml", nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{} // ignore proxies of the environment
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(r)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("the process answers with %s", res.Status)
	}
	return nil
}
