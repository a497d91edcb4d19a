package host

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

// onEnding calls each function when Lambda says that it ends the process, which
// it does only where an extension is registered: this one hears of no events. It
// must be called before the first event is asked for.
//
// lambda.WithEnableSIGTERM does the same with a client and two connections, which
// took half the time of a bare function's start; this takes about a quarter of it.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-extensions-api.html
func onEnding(ctx context.Context, runtimeAPI string, ending []func()) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", runtimeAPI)
	if err != nil {
		return fmt.Errorf("register an extension: %w", err)
	}
	const body = `{"events":[]}`
	if _, err = fmt.Fprintf(conn, "POST /2020-01-01/extension/register HTTP/1.1\r\nHost: %s\r\nLambda-Extension-Name: ending\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", runtimeAPI, len(body), body); err != nil {
		return fmt.Errorf("register an extension: %w", err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return fmt.Errorf("register an extension: %w", err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("register an extension: status %d", answer.StatusCode)
	}
	signaled := make(chan os.Signal, 1)
	signal.Notify(signaled, syscall.SIGTERM)
	go func() {
		<-signaled
		for _, f := range ending {
			f()
		}
		_ = conn.Close()
	}()
	// Tells that the extension is ready. Nothing is ever answered.
	if _, err := fmt.Fprintf(conn, "GET /2020-01-01/extension/event/next HTTP/1.1\r\nHost: %s\r\nLambda-Extension-Identifier: %s\r\n\r\n", runtimeAPI, answer.Header.Get("Lambda-Extension-Identifier")); err != nil {
		return fmt.Errorf("ready an extension: %w", err)
	}
	return nil
}
