package upstash

import "context"

// Trace is told of each call that is made with its context, before it, and by what it
// returns of its end, with the call's error or nil. A call may take several attempts.
// The name is the command's in upper case, PIPELINE, or MULTI for a transaction; commands
// is how many there are. Neither says of which keys. It runs beside other calls.
type Trace func(ctx context.Context, name string, commands int) (end func(error))

type traceKey struct{}

// WithTrace has a Trace told of every call that is made with the returned context, in
// place of the one that ctx has; nil: none.
func WithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// traced tells the Trace of a context, if there is one.
func traced(ctx context.Context, r request) (end func(*Error)) {
	told, _ := ctx.Value(traceKey{}).(Trace)
	if told == nil {
		return func(*Error) {}
	}
	over := told(ctx, r.traceName(), len(r.cmds))
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
