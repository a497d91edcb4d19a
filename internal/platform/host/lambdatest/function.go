package lambdatest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"
)

const (
	// DefaultTimeout is the time limit of an invocation if Options has none.
	DefaultTimeout = 30 * time.Second
	// initTimeout is Lambda's own limit from start to the first call of next.
	initTimeout = 10 * time.Second
	arn         = "arn:aws:lambda:us-east-1:123456789012:function:"
)

// ErrExited is in the chain of every error that comes from a process that ended by itself.
var ErrExited = errors.New("the function's process ended")

// Options say what to start.
type Options struct {
	// Bootstrap is the path of an executable built for this machine.
	Bootstrap string
	// Env is the environment, as NAME=value, in addition to what Lambda sets itself,
	// and to Threads. As on Lambda, nothing of the caller's environment is passed on.
	Env []string
	// Name is the function's name; "function" when empty.
	Name string
	// Timeout is the time limit of each invocation; DefaultTimeout when 0.
	Timeout time.Duration
	// Trace is the trace of each invocation; when empty, one that is not sampled.
	Trace string
}

// Function is a running function. Its methods are safe for concurrent use. It runs as many
// invocations at once as the function asks for; one, if the function does not ask.
type Function struct {
	api     *runtimeAPI
	server  *http.Server
	cmd     *exec.Cmd
	stdout  capture
	stderr  capture
	timeout time.Duration
	init    time.Duration
	exited  chan struct{} // closed when the process has ended
	exitErr error         // valid once exited is closed
}

// Start starts a function and waits until it asks for its first event. It returns
// an error with the function's own words if the function reports an init error,
// ends, or asks for nothing within 10 s.
func Start(ctx context.Context, o Options) (*Function, error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the runtime API: %w", err)
	}
	if o.Name == "" {
		o.Name = "function"
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	f := &Function{
		api:     newRuntimeAPI(arn+o.Name, cmp.Or(o.Trace, noTrace)),
		timeout: o.Timeout,
		exited:  make(chan struct{}),
	}
	f.server = &http.Server{Handler: f.api.routes(), ReadHeaderTimeout: initTimeout}
	go func() { _ = f.server.Serve(ln) }() // ends with ErrServerClosed at Close

	// Not CommandContext: a function lives until Close, however long Start may take.
	f.cmd = exec.Command(o.Bootstrap)
	f.cmd.Env = append([]string{
		"AWS_LAMBDA_RUNTIME_API=" + ln.Addr().String(),
		"AWS_LAMBDA_FUNCTION_NAME=" + o.Name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256",
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_REGION=us-east-1",
		"_HANDLER=bootstrap",
		"PATH=/usr/local/bin:/usr/bin:/bin",
		"LANG=en_US.UTF-8",
		"TZ=:UTC",
		Threads,
	}, o.Env...)
	f.cmd.Stdout, f.cmd.Stderr = &f.stdout, &f.stderr
	began := time.Now()
	if err := f.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("starting %s: %w", o.Bootstrap, err), f.server.Close())
	}
	go func() {
		f.exitErr = f.cmd.Wait()
		close(f.exited)
	}()
	if err := f.awaitInit(ctx); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.init = f.api.firstNext.Sub(began)
	return f, nil
}

func (f *Function) awaitInit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, initTimeout)
	defer cancel()
	select {
	case <-f.api.ready:
		return nil
	case r := <-f.api.initError:
		return fmt.Errorf("the function reported an init error: %s: %s", r.ErrorType, r.ErrorMessage)
	case <-f.exited:
		return f.exitError()
	case <-ctx.Done():
		return fmt.Errorf("waiting for the function to ask for its first event: %w; stderr: %s", ctx.Err(), f.Stderr())
	}
}

// Invoke sends an event to the function and waits for the answer. An error that the function
// reports is in the Response. An error of Invoke means that there is no answer: ctx ended;
// the invocation timed out, and the process was killed, as on Lambda; or the process ended by
// itself (ErrExited).
func (f *Function) Invoke(ctx context.Context, event []byte) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	call := f.api.newCall(ctx, event)
	defer f.api.forget(call)
	began := time.Now()
	select {
	case f.api.calls <- call:
	case <-f.exited:
		return Response{}, f.exitError()
	case <-ctx.Done():
		return Response{}, fmt.Errorf("waiting for the function to ask for an event: %w", ctx.Err())
	}
	select {
	case r := <-call.answer:
		r.Duration = time.Since(began)
		return r, nil
	case <-f.exited:
		// The answer may have arrived just before the end.
		select {
		case r := <-call.answer:
			r.Duration = time.Since(began)
			return r, nil
		default:
			return Response{}, f.exitError()
		}
	case <-ctx.Done():
		return Response{}, errors.Join(fmt.Errorf("waiting for the answer to %s: %w", call.id, ctx.Err()), f.kill())
	}
}

// InitTime is the time from the start of the process to its first request for an
// event: what Lambda bills as init and a player waits for at a cold start.
func (f *Function) InitTime() time.Duration { return f.init }

// PID is the process id of the function.
func (f *Function) PID() int { return f.cmd.Process.Pid }

// Stdout is what the function has written to its standard output so far.
func (f *Function) Stdout() string { return f.stdout.String() }

// Stderr is what the function has written to its standard error so far.
func (f *Function) Stderr() string { return f.stderr.String() }

// Exited is closed when the process has ended.
func (f *Function) Exited() <-chan struct{} { return f.exited }

// Close kills the process if it still runs, waits for it and closes the runtime
// API. It may be called more than once.
func (f *Function) Close() error {
	return errors.Join(f.kill(), f.server.Close())
}

func (f *Function) kill() error {
	select {
	case <-f.exited:
		return nil
	default:
	}
	if err := f.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing the function: %w", err)
	}
	<-f.exited
	return nil
}

// exitError must only be called once exited is closed.
func (f *Function) exitError() error {
	state := "exit status 0"
	if f.exitErr != nil {
		state = f.exitErr.Error()
	}
	return fmt.Errorf("%w (%s); stderr: %s", ErrExited, state, f.Stderr())
}
