package built

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
)

// Every build serves the same games, whether it reads them or has them as Go.
func TestAGeneratedGameIsTheOneOfItsFile(t *testing.T) {
	names, err := fs.Glob(games.FS, "*.yaml")
	require.NoError(t, err)
	require.Len(t, files, len(names))
	for _, name := range names {
		text, err := games.FS.ReadFile(name)
		require.NoError(t, err)
		want, err := gamefile.Parse(name, text)
		require.NoError(t, err, name)
		name = strings.TrimSuffix(name, ".yaml")
		got, err := generated(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
		got, err = Game(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
}

// A caller that changes a game which it was given changes no other caller's.
func TestEachGameThatIsGeneratedIsItsOwn(t *testing.T) {
	one, err := generated("framedle")
	require.NoError(t, err)
	one.Modes[0].Title = "changed"
	two, err := generated("framedle")
	require.NoError(t, err)
	require.NotEqual(t, "changed", two.Modes[0].Title)
}

func TestAGameThatIsNotThereOrWrongIsNotServed(t *testing.T) {
	for _, read := range []func(string) (*game.Game, error){Game, generated} {
		_, err := read("nothing")
		require.ErrorIs(t, err, ErrUnknown)
	}
	const wrong = "games/draft.yaml:1: name: it is missing; use a name such as framedle"
	before := files
	files = append(slices.Clip(files), file{name: "draft", wrong: wrong})
	defer func() { files = before }()
	_, err := generated("draft")
	require.EqualError(t, err, wrong)
}
