package trace

import (
	"context"
	"log/slog"
)

// Lines makes log lines name the trace of their invocation on Lambda. Warnings and errors
// always name it, other lines only where the trace is kept.
func Lines(h slog.Handler) slog.Handler { return lines{h} }

type lines struct{ slog.Handler }

// field is the name of the trace in a line.
const field = "trace_id"

func (l lines) Handle(ctx context.Context, r slog.Record) error {
	id, kept := OfInvocation(ctx)
	if id == "" || !kept && r.Level < slog.LevelWarn {
		return l.Handler.Handle(ctx, r)
	}
	named := false // the line names the trace already
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
