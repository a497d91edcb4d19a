//go:build !lambda

package host

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

func runHTTP(ctx context.Context, h http.Handler, timeout time.Duration) error {
	port := os.Getenv("PORT")
	if port == "" {
		return ErrNoHost
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Errorf("PORT is %q: want a number from 1 to 65535", port)
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
	return Serve(ctx, ln, h, timeout, os.Stderr)
}
