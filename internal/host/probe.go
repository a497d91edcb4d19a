package host

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// probeTime is how long a process that is well may take to answer.
const probeTime = 3 * time.Second

// Probe reports whether a process of this machine answers at PORT, as Run has it
// listen. It asks for what no process looks up elsewhere, so that a Redis or a
// database that is down makes nobody end a process that can do nothing about it.
func Probe(ctx context.Context) error {
	port := os.Getenv("PORT")
	if port == "" {
		return ErrNoHost
	}
	address := os.Getenv("HOST")
	if ip := net.ParseIP(address); address == "" || ip != nil && ip.IsUnspecified() {
		address = "127.0.0.1" // an image without /etc/hosts knows no names
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, "http://"+net.JoinHostPort(address, port)+"/openapi.yaml", nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{} // no proxy of the environment
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
