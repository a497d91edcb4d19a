package host

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ReadyPath answers 200 as long as the process takes requests, and 503 from the moment it is
// asked to stop. It needs no credentials and asks neither Redis nor a database: a process that
// waits for them still answers from memory.
const ReadyPath = "/readyz"

func runHTTP(ctx context.Context, h http.Handler, timeout time.Duration) error {
	port := os.Getenv("PORT")
	if port == "" {
		return ErrNoHost
	}
	if err := CheckEnv(os.Getenv); err != nil {
		return err
	}
	drain, err := drainTime(os.Getenv)
	if err != nil {
		return err
	}
	if os.Getenv("K_SERVICE") != "" {
		h = trustFrontEnd(h)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
	defer stop()
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(os.Getenv("HOST"), port))
	if err != nil {
		return fmt.Errorf("listening on port %s: %w", port, err)
	}
	log := NewLog(os.Stderr)
	log.Info("listening", "address", ln.Addr().String())
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	context.AfterFunc(ctx, func() {
		log.Info("stopping", "drain_seconds", int(drain.Seconds()))
		time.AfterFunc(drain, end)
	})
	err = Serve(serving, ln, withReady(ctx, h), timeout, os.Stderr)
	if err == nil {
		log.Info("stopped")
	}
	return err
}

// withReady answers at ReadyPath until stopping ends.
func withReady(stopping context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != ReadyPath {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		if stopping.Err() != nil {
			writeProblem(w, r, http.StatusServiceUnavailable, "the process is about to stop")
			return
		}
		_, _ = io.WriteString(w, "ready\n") // the caller may have disconnected
	})
}
