package stage

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/template"
)

// requestTimeout bounds one request, as Lambda's timeout does in a deployment.
const requestTimeout = 30 * time.Second

// Serve serves the functions, on the routes of template.yaml and an address of this
// machine, until it is stopped. around wraps the handler of all routes; nil wraps
// nothing.
func Serve(functions map[string]http.Handler, around func(http.Handler) http.Handler) (address string, stop func() error, err error) {
	declared, err := template.Parse(leaderboards.Template)
	if err != nil {
		return "", nil, err
	}
	handler := host.Guard(declared.Gateway(functions), io.Discard)
	if around != nil {
		handler = around(handler)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- host.Serve(ctx, listener, handler, requestTimeout, io.Discard) }()
	return listener.Addr().String(), func() error { cancel(); return <-done }, nil
}
