package trace

import (
	"context"
	"log/slog"
)

// Lines has lines of a log name the trace of the invocation that they are of: those that
// warn or tell of a failure always, others where somebody keeps it.
func Lines(h slog.Handler) slog.Handler { return lines{h} }

type lines struct{ slog.Handler }

// field is what a line calls the trace.
const field = "trace_id"

func (l lines) Handle(ctx context.Context, r slog.Record) error {
	id, kept := OfInvocation(ctx)
	if id == "" || !kept && r.Level < slog.LevelWarn {
		return l.Handler.Handle(ctx, r)
	}
	named := false // by who knows the request
	r.Attrs(func(a slog.Attr) bool {
		named = a.Key == field
		return !named
	})
	if !named {
		r = r.Clone()
		r.AddAttrs(slog.String(field, id))
	}
	return l.Handler.Handle(ctx, r)
}

func (l lines) WithAttrs(attrs []slog.Attr) slog.Handler { return lines{l.Handler.WithAttrs(attrs)} }

func (l lines) WithGroup(name string) slog.Handler { return lines{l.Handler.WithGroup(name)} }
