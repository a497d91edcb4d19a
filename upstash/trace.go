package upstash

import "context"

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
