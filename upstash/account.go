package upstash

import "context"

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
