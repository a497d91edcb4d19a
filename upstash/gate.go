package upstash

import "context"

// Gate is asked before each call that is made with its context. Its error keeps
// the call from being sent, and is within the *Error of KindThrottled that is
// answered in its place.
type Gate func(context.Context) error

type gateKey struct{}

// WithGate has a gate asked before every call that is made with the returned
// context, in place of the one that ctx has; nil lets all of them through.
func WithGate(ctx context.Context, g Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, g)
}

// refusal is what the gate of a context says against a call; nil: nothing.
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

// Commands is how many billed commands were counted, without what Usage says of
// each name.
func (m *Meter) Commands() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total.Commands
}
