package upstashtest_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// words splits a command that is written as one line; it reads a quoted word as Go does.
func words(t *testing.T, line string) (args []string) {
	t.Helper()
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimLeft(rest, " ") {
		if rest[0] != '"' && rest[0] != '`' {
			var word string
			word, rest, _ = strings.Cut(rest, " ")
			args = append(args, word)
			continue
		}
		quoted, err := strconv.QuotedPrefix(rest)
		require.NoError(t, err, "%s", line)
		word, err := strconv.Unquote(quoted)
		require.NoError(t, err, "%s", line)
		args, rest = append(args, word), rest[len(quoted):]
	}
	return args
}

// sameOnBothEngines runs the commands, one a line, on an embedded and a real engine, and
// requires the same answers.
func sameOnBothEngines(t *testing.T, commands string) {
	t.Helper()
	embedded, real := startStrict(t, ""), startStrict(t, realRedis(t).URL())
	for line := range strings.Lines(commands) {
		args := words(t, line)
		if len(args) == 0 {
			continue
		}
		want, got := comparableReply(args, real.command(args...)), comparableReply(args, embedded.command(args...))
		if !assertSame(want, got) {
			t.Errorf("%s\nreal      %s\nembedded  %s", strings.TrimSpace(line), show(want), show(got))
		}
	}
}

func assertSame(want, got any) bool { return show(want) == show(got) }

// show writes a reply so that an error differs from a text.
func show(v any) string {
	switch v := v.(type) {
	case upstashtest.EngineError:
		return "error: " + string(v)
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		return v.String()
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = show(v[i])
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	return "nil"
}
