package upstash

import "context"

type accountKey struct{}

// account is what a context had when somebody's account was opened in it.
type account struct {
	meters *meters
	gate   Gate
}

// WithAccount opens an account: meters and gates that are put into the returned context
// from then on are of whoever pays for the calls made with it.
func WithAccount(ctx context.Context) context.Context {
	var a account
	a.meters, _ = ctx.Value(meterKey{}).(*meters)
	a.gate, _ = ctx.Value(gateKey{}).(Gate)
	return context.WithValue(ctx, accountKey{}, a)
}

// OffAccount is the context for calls that one caller happens to make for everybody: they
// count on the meters, and pass the gate, that there were before the account was opened.
// Without an account it is ctx.
func OffAccount(ctx context.Context) context.Context {
	a, open := ctx.Value(accountKey{}).(account)
	if !open {
		return ctx
	}
	return WithGate(context.WithValue(ctx, meterKey{}, a.meters), a.gate)
}
