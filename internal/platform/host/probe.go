package host

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

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
