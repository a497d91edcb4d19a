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

// Ending is Lambda's warning that it is about to end the process. Lambda warns only processes
// with a registered extension, so Ending registers one that subscribes to no events.
// Registering takes a quarter of a bare function's start-up time, so it runs beside the
// wiring. The nil Ending never warns.
//
// lambda.WithEnableSIGTERM does the same with a client and two connections, in about twice
// the time.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-extensions-api.html
type Ending struct {
	runtimeAPI string
	registered chan error
	signaled   chan os.Signal
	conn       net.Conn // the extension's, once it is registered
	call       []func()
}

// ExpectEnding starts to register on Lambda; elsewhere it returns nil. The result must be
// passed to Run, RunScheduled or RunQueue.
func ExpectEnding(ctx context.Context) *Ending {
	runtimeAPI := os.Getenv("AWS_LAMBDA_RUNTIME_API")
	if runtimeAPI == "" {
		return nil
	}
	e := &Ending{runtimeAPI: runtimeAPI, registered: make(chan error, 1), signaled: make(chan os.Signal, 1)}
	go func() { e.registered <- e.register(ctx) }()
	return e
}

// Then adds f to the functions that are called at the warning. All of them together have 500
// ms.
func (e *Ending) Then(f func()) *Ending {
	if e != nil {
		e.call = append(e.call, f)
	}
	return e
}

func (e *Ending) register(ctx context.Context) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", e.runtimeAPI)
	if err != nil {
		return fmt.Errorf("register an extension: %w", err)
	}
	const body = `{"events":[]}`
	if _, err = fmt.Fprintf(conn, "POST /2020-01-01/extension/register HTTP/1.1\r\nHost: %s\r\nLambda-Extension-Name: ending\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", e.runtimeAPI, len(body), body); err != nil {
		return fmt.Errorf("register an extension: %w", err)
	}
	signal.Notify(e.signaled, syscall.SIGTERM) // before the answer, so that no signal is missed
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return fmt.Errorf("register an extension: %w", err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("register an extension: status %d", answer.StatusCode)
	}
	// This request reports to Lambda that the extension is ready. Lambda never answers it.
	if _, err := fmt.Fprintf(conn, "GET /2020-01-01/extension/event/next HTTP/1.1\r\nHost: %s\r\nLambda-Extension-Identifier: %s\r\n\r\n", e.runtimeAPI, answer.Header.Get("Lambda-Extension-Identifier")); err != nil {
		return fmt.Errorf("ready an extension: %w", err)
	}
	e.conn = conn
	return nil
}

// await waits for the registration, and starts the goroutine that calls the functions at the
// warning. It has to be called before the first event is asked for.
func (e *Ending) await() error {
	if e == nil {
		return nil
	}
	if err := <-e.registered; err != nil {
		signal.Stop(e.signaled)
		return err
	}
	go func() {
		<-e.signaled
		for _, f := range e.call {
			f()
		}
		_ = e.conn.Close()
	}()
	return nil
}
