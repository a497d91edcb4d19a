package upstash

import (
	"context"
	"time"
)

// What a context decides for the calls that are made with it, besides its meters (see WithMeter)
// and its Sync.

// Gate is called before each call that is made with its context. If it returns an error, the
// call is not sent, and fails with an *Error of KindThrottled that wraps the gate's error.
type Gate func(context.Context) error

type gateKey struct{}

// WithGate makes a gate decide on every call made with the returned context, instead of the
// gate that ctx has; nil lets all calls through.
func WithGate(ctx context.Context, g Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, g)
}

// refusal is the error of the context's gate for a call; nil: the call may be made.
func refusal(ctx context.Context, r request) *Error {
	gate, _ := ctx.Value(gateKey{}).(Gate)
	if gate == nil {
		return nil
	}
	if err := gate(ctx); err != nil {
		return &Error{Op: r.describe(), kind: KindThrottled, Message: err.Error(), cause: err, safe: r.safe()}
	}
	return nil
}

// Trace is called before each call that is made with its context. It returns a function that
// is called at the call's end, with the call's error or nil. A call may take several attempts.
// name is the command's in upper case, PIPELINE, or MULTI for a transaction; commands is the
// number of commands. Neither contains a key. A Trace is called concurrently.
type Trace func(ctx context.Context, name string, commands int) (end func(error))

type traceKey struct{}

// WithTrace makes t the Trace of every call made with the returned context, instead of the one
// that ctx has; nil: none.
func WithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// traced calls the Trace of a context, if there is one.
func traced(ctx context.Context, r request) (end func(*Error)) {
	answer, _ := ctx.Value(traceKey{}).(Trace)
	if answer == nil {
		return func(*Error) {}
	}
	over := answer(ctx, r.traceName(), len(r.cmds))
	return func(failure *Error) {
		if failure == nil {
			over(nil)
			return
		}
		over(failure)
	}
}

func (r request) traceName() string {
	switch r.op {
	case opPipeline:
		return "PIPELINE"
	case opMultiExec:
		return "MULTI"
	}
	return r.billedName(0)
}

type timeoutKey struct{}

// WithTimeout gives each call made with the returned context a timeout of d, instead of
// Config.Timeout; attempts wait longer in proportion. It is for jobs, whose commands are large
// and for which no caller waits.
func WithTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, timeoutKey{}, d)
}

func (c *Client) timeoutOf(ctx context.Context) time.Duration {
	if d, ok := ctx.Value(timeoutKey{}).(time.Duration); ok && d > 0 {
		return d
	}
	return c.timeout
}

type accountKey struct{}

// account remembers the meters and the gate that a context had when an account was opened in
// it.
type account struct {
	meters *meters
	gate   Gate
}

// WithAccount opens an account in the returned context: meters and gates that are added to it
// later belong to the caller who pays for the calls made with it.
func WithAccount(ctx context.Context) context.Context {
	var a account
	a.meters, _ = ctx.Value(meterKey{}).(*meters)
	a.gate, _ = ctx.Value(gateKey{}).(Gate)
	return context.WithValue(ctx, accountKey{}, a)
}

// OffAccount returns a context for calls that one caller makes on behalf of everybody: they
// count on the meters and pass the gate from before the account was opened. Without an account
// it returns ctx.
func OffAccount(ctx context.Context) context.Context {
	a, open := ctx.Value(accountKey{}).(account)
	if !open {
		return ctx
	}
	return WithGate(context.WithValue(ctx, meterKey{}, a.meters), a.gate)
}
