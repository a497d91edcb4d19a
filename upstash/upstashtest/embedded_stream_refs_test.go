package upstashtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEntriesAreDeletedWithAnEyeOnGroups expects the answers of the Redis documentation,
// since no Valkey has these commands.
func TestEntriesAreDeletedWithAnEyeOnGroups(t *testing.T) {
	c := startStrict(t, "")
	for _, test := range []struct{ command, want string }{
		{"XADD x 1-0 f v", `"1-0"`},
		{"XADD x 2-0 f v", `"2-0"`},
		{"XADD x 3-0 f v", `"3-0"`},
		{"XADD x 4-0 f v", `"4-0"`},
		{"XGROUP CREATE x g 0", `"OK"`},
		{"XGROUP CREATE x h 0", `"OK"`},
		{"XREADGROUP GROUP g a STREAMS x >", `[["x" [["1-0" ["f" "v"]] ["2-0" ["f" "v"]] ["3-0" ["f" "v"]] ["4-0" ["f" "v"]]]]]`},
		{"XREADGROUP GROUP h a COUNT 1 STREAMS x >", `[["x" [["1-0" ["f" "v"]]]]]`},

		{"XACKDEL x g ACKED IDS 2 1-0 9-0", "[2 -1]"},
		{"XACKDEL x h ACKED IDS 1 1-0", "[1]"},
		{"XDELEX x ACKED IDS 2 2-0 9-0", "[2 -1]"},
		{"XDELEX x KEEPREF IDS 1 2-0", "[1]"},
		{"XPENDING x g", `[3 "2-0" "4-0" [["a" "3"]]]`},
		{"XDELEX x DELREF IDS 1 3-0", "[1]"},
		{"XPENDING x g", `[2 "2-0" "4-0" [["a" "2"]]]`},
		{"XACKDEL x g IDS 1 4-0", "[1]"},
		{"XLEN x", "0"},
		{"XDELEX none IDS 1 1-0", "[-1]"},
		{"XACKDEL none g IDS 1 1-0", "[-1]"},
		{"XDELEX x IDS 2 1-0", "error: ERR The `numids` parameter must match the number of arguments"},
		{"XDELEX x FOO IDS 1 1-0", "error: ERR syntax error"},
	} {
		require.Equal(t, test.want, show(c.command(words(t, test.command)...)), test.command)
	}
}
