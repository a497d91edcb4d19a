package trace_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/trace"
)

const id = "4bf92f3577b34da6a3ce929d0e0e4736"

func TestATraceIsNamedByEitherHeader(t *testing.T) {
	tests := []struct {
		name, parent, amazon, id string
		kept                     bool
	}{
		{"nothing", "", "", "", false},
		{"kept", "00-" + id + "-00f067aa0ba902b7-01", "", id, true},
		{"not kept", "00-" + id + "-00f067aa0ba902b7-00", "", id, false},
		{"other flags", "00-" + id + "-00f067aa0ba902b7-03", "", id, true},
		{"a later version", "cc-" + id + "-00f067aa0ba902b7-01-what-the-future-brings", "", id, true},
		{"more behind version 00", "00-" + id + "-00f067aa0ba902b7-01-x", "", "", false},
		{"nothing behind the last dash", "cc-" + id + "-00f067aa0ba902b7-01-", "", "", false},
		{"version ff", "ff-" + id + "-00f067aa0ba902b7-01", "", "", false},
		{"no trace", "00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01", "", "", false},
		{"no parent", "00-" + id + "-0000000000000000-01", "", "", false},
		{"upper case", "00-" + strings.ToUpper(id) + "-00f067aa0ba902b7-01", "", "", false},
		{"short", "00-" + id[1:] + "-00f067aa0ba902b7-01", "", "", false},
		{"words", "00-<script>-00f067aa0ba902b7-01", "", "", false},
		{"a gateway's", "", "Root=1-67891233-abcdef012345678912345678", "67891233abcdef012345678912345678", false},
		{"kept by X-Ray", "", "Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8;Sampled=1", "67891233abcdef012345678912345678", true},
		{"in another order", "", "Self=1-1-1;Sampled=1; Root=1-67891233-abcdef012345678912345678", "67891233abcdef012345678912345678", true},
		{"another version of X-Ray's", "", "Root=2-67891233-abcdef012345678912345678;Sampled=1", "", false},
		{"W3C's goes before", "00-" + id + "-00f067aa0ba902b7-00", "Root=1-67891233-abcdef012345678912345678;Sampled=1", id, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{}
			h.Set("traceparent", tt.parent)
			h.Set("x-amzn-trace-id", tt.amazon)
			got, kept := trace.Of(h)
			require.Equal(t, tt.id, got)
			require.Equal(t, tt.kept, kept)
		})
	}
}

// The lines contain 32 digits, or nothing.
func TestWhateverAHeaderSaysNothingElseIsTaken(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[0-9a-f]{2}-[0-9a-f]{30,33}-[0-9a-f]{15,17}-[0-9a-f]{1,3}(-.*)?`), rapid.StringMatching(`(Root=1-[0-9a-f]{7,9}-[0-9a-f]{23,25}|Sampled=[01]|;){0,4}`))
	rapid.Check(t, func(t *rapid.T) {
		got, kept := trace.Of(http.Header{"Traceparent": {text.Draw(t, "parent")}, "X-Amzn-Trace-Id": {text.Draw(t, "amazon")}})
		require.Regexp(t, `^([0-9a-f]{32})?$`, got)
		require.False(t, kept && got == "")
	})
}

func TestPartsAreToldOfWithinTheirContext(t *testing.T) {
	trace.Part(context.Background(), "redis", "GET")(nil) // without a follower
	var answer []string
	ctx := trace.With(context.Background(), func(_ context.Context, system, name string) func(error) {
		answer = append(answer, system+" "+name)
		return func(err error) { answer = append(answer, err.Error()) }
	})
	trace.Part(ctx, "postgres", "ping")(errors.New("cut"))
	require.Equal(t, []string{"postgres ping", "cut"}, answer)
}
