package trace_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/trace"
)

func TestLinesNameTheTraceOfTheirInvocation(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	in := func(sampled string) context.Context {
		//lint:ignore SA1029 the key is that of Lambda's library
		return context.WithValue(t.Context(), "x-amzn-trace-id", "Root=1-4bf92f35-77b34da6a3ce929d0e0e4736;Parent=00f067aa0ba902b7;Sampled="+sampled)
	}
	for _, c := range []struct {
		ctx   context.Context
		level slog.Level
		attrs []slog.Attr
		times int
	}{
		{in("1"), slog.LevelInfo, nil, 1},
		{in("0"), slog.LevelInfo, nil, 0},
		{in("0"), slog.LevelWarn, nil, 1},
		{in("0"), slog.LevelError, []slog.Attr{slog.String("trace_id", id)}, 1},
		{t.Context(), slog.LevelError, nil, 0},
		{in("1;Root=1-x-y"), slog.LevelError, nil, 1}, // a malformed root names no trace
	} {
		for _, named := range []bool{false, true} {
			var out strings.Builder
			log := slog.New(trace.Lines(slog.NewJSONHandler(&out, nil)))
			if named {
				log = log.With("a", 1).WithGroup("g")
			}
			log.LogAttrs(c.ctx, c.level, "said", c.attrs...)
			require.Equal(t, c.times, strings.Count(out.String(), `"trace_id":"`+id+`"`), out.String())
		}
	}
}
