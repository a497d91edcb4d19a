package main

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
)

func TestTheGamesAreGeneratedFromTheirFiles(t *testing.T) {
	want, err := written(games.FS)
	require.NoError(t, err)
	got, err := os.ReadFile("../games.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate ./internal/game/built, or make build")
}

// A draft that is no valid game yet keeps no program from serving the others.
func TestAFileThatIsNoGameIsWrittenWithWhatIsWrongWithIt(t *testing.T) {
	got, err := written(fstest.MapFS{
		"a.yaml":   {Data: []byte("name: a\nseasons: [{name: s_1, first: 2026-03-01, last: 2026-05-31}]\nmodes: {m: {max: 5, title: \"say \\\"go\\\"\"}}\n")},
		"b.yaml":   {Data: []byte("name: b\nmodes: 7\n")},
		"notes.md": {Data: []byte("no game")},
	})
	require.NoError(t, err)
	require.Regexp(t, `game\.NewDate\(2026, 3, 1\)`, string(got))
	require.Contains(t, string(got), `"say \"go\""`)
	require.Contains(t, string(got), `{name: "b", wrong: "games/b.yaml:2: modes: 7 is a number; use keys and values`)
	require.NotContains(t, string(got), "notes")
}

func TestTheFileIsReplacedWhereItDiffersAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, replace("games.go", []byte("one")))
	first, err := os.Stat("games.go")
	require.NoError(t, err)
	require.NoError(t, replace("games.go", []byte("one")))
	again, err := os.Stat("games.go")
	require.NoError(t, err)
	require.True(t, os.SameFile(first, again))
	require.NoError(t, replace("games.go", []byte("two")))
	text, err := os.ReadFile("games.go")
	require.NoError(t, err)
	require.Equal(t, "two", string(text))
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, left, 1)
}
