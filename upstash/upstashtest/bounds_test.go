package upstashtest

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHostileBodiesCostBoundedMemory(t *testing.T) {
	for _, hostile := range []struct{ name, body, want string }{
		{"too many commands", "[" + strings.Repeat(`["a"],`, maxCommands) + `["a"]]`, "more than 100000 commands"},
		{"too many arguments", `[["a"` + strings.Repeat(`,1`, maxArguments) + "]]", "more than 1048576 arguments"},
		{"too many over several commands", "[" + strings.Repeat(`["a"`+strings.Repeat(",1", 999)+"],", 1100) + `["a"]]`, "more than 1048576 arguments"},
		{"brackets without end", strings.Repeat("[", 10<<20), "want"},
		{"an unclosed string", `[["` + strings.Repeat("a", 10<<20), "closing quote"},
		{"an endless number", `[["a",` + strings.Repeat("1", 10<<20), "comma"},
	} {
		body := []byte(hostile.body)
		x := newExchange()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := x.parsePipeline(body)
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, hostile.want, hostile.name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<20), hostile.name)
		if cap(x.commands) > keptCommands || cap(x.args) > keptCommands {
			require.False(t, x.isSmall(), "its memory is not kept")
		}
	}
}

func TestASlowReaderLosesTheStreamNotTheServersMemory(t *testing.T) {
	out := newOutbox()
	message := make([]byte, 1<<20)
	n := 0
	for out.add(message) {
		n++
		require.Less(t, n, 1000)
	}
	pending, open := out.take(nil)
	require.False(t, open)
	require.LessOrEqual(t, len(pending), maxPending+len(message)*2)
}

func TestTheCatalogOfNamesIsBounded(t *testing.T) {
	c := newCatalog()
	for i := range 2 * maxKinds {
		c.kind([]byte("NAME" + formatInt(int64(i))))
	}
	require.Len(t, c.kinds, maxKinds)
	require.Same(t, c.other, c.kind([]byte("one more")))
	require.Same(t, c.other, c.kind([]byte(strings.Repeat("x", 1<<20))))
	require.True(t, c.kind([]byte("GET")).read)
}
