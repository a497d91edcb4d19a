package functions_test

import (
	"bytes"
	"debug/elf"
	"debug/gosym"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const internal = "github.com/framedle/leaderboards/internal/"

// A function links the handlers of its own routes and what they use. Anything else makes
// every start slower. It comes in unnoticed: with a handler that is made but not served,
// or with a method that is passed as a value.
func TestAFunctionLinksOnlyWhatItServes(t *testing.T) {
	const megabyte = 1e6
	undone := []string{"claim.", "closing.(", "export.(", "people.(*Service)", "restore.(", "removal.", "repair.(*erasure)", "repair.(*claim)", "sides."}
	contests := []string{"duel.(*Store)", "duel.(*Queue)", "race.(*Store).See", "live.(", "world.(*Merge)", "activity.(*Activity)"}
	for _, c := range []struct {
		function string
		size     float64 // largest size in bytes of the program for x86-64; for arm64 it is smaller
		without  []string
		document bool // it contains the document of the API
	}{
		{"submit", 12 * megabyte, append(append(undone, contests...), "archive.", "history.", "friends.(", "graph."), false},
		{"enqueue", 12 * megabyte, append(append(undone, contests...), "rollup.(*Rollup).combine", "archive.", "history.", "friends.(", "graph."), false},
		{"leaderboard", 18 * megabyte, append(append(undone, contests...), "friends.(", "graph.", "league.("), true},
		{"friends", 18 * megabyte, append(append(undone, contests...), "graph."), false},
		{"duel", 18 * megabyte, append(undone, "live.(", "graph."), false},
	} {
		t.Run(c.function, func(t *testing.T) {
			program := forLambda(t, c.function)
			text, err := os.ReadFile(program)
			require.NoError(t, err)
			require.Equal(t, c.document, bytes.Contains(text, []byte("openapi: 3.1.0\ninfo:")), "it has the document of the API")
			if runtime.GOOS != "linux" {
				return // on other systems programs have another format and size
			}
			if runtime.GOARCH == "amd64" {
				require.LessOrEqual(t, float64(len(text)), c.size, "see which functions of ours are new: go tool nm -size -sort size")
			}
			for _, linked := range functionsIn(t, program) {
				own, ok := strings.CutPrefix(linked, internal)
				for _, other := range c.without {
					require.False(t, ok && strings.HasPrefix(own, other), "it links %s: who is handed it, and serves nothing of it?", own)
				}
			}
		})
	}
}

// functionsIn returns the names of all functions in a program. Programs without symbols
// have them too, for stack traces.
func functionsIn(t *testing.T, program string) (names []string) {
	t.Helper()
	file, err := elf.Open(program)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	lines, err := file.Section(".gopclntab").Data()
	require.NoError(t, err)
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, file.Section(".text").Addr))
	require.NoError(t, err)
	for _, f := range table.Funcs {
		names = append(names, f.Name)
	}
	require.Contains(t, names, "main.main")
	return names
}
