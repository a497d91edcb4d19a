package upstash

import "context"

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
		return &Error{Op: r.describe(), kind: KindThrottled, Message: err.Error(), cause: err, safe: allSafe(r.cmds)}
	}
	return nil
}

// Commands returns the number of billed commands. It is cheaper than Usage, which also counts
// by name.
func (m *Meter) Commands() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total.Commands
}
