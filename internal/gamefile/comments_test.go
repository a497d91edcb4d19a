package gamefile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/games"
)

// TestWithoutCommentsAFileSaysTheSame draws files of lines with comments between them or in
// them, and compares what YAML makes of both forms.
func TestWithoutCommentsAFileSaysTheSame(t *testing.T) {
	parts := []string{
		"# a comment", "  # deeper", "#", "", "name: x", "modes:", "  a:", "    max: 10 # behind a value", "    title: \"quoted\"",
		"title: \"open", "  # inside quotes\"", "title: 'it''s'", "title: 'open", "text: |", "text: >-", "  # in a block", "  more",
		"list: [a,", "  # in a list", "  b]", "plain text", "map: {a: 1,", "  b: 2}", "- item", "key: \"a # b\"", "\t# tab", "a: b\r", "# c\r",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "lines"), "\n")
		same(t, text)
	})
}

func TestNoCommentOfAGameIsParsed(t *testing.T) {
	files, err := games.FS.ReadDir(".")
	require.NoError(t, err)
	for _, f := range files {
		text, err := games.FS.ReadFile(f.Name())
		require.NoError(t, err)
		same(t, string(text))
		for line := range strings.Lines(string(withoutComments(text))) {
			content := strings.TrimSpace(line)
			require.False(t, strings.HasPrefix(content, "#") && content != "#", "%s: %q", f.Name(), line)
		}
	}
}

func same(t require.TestingT, text string) {
	short := string(withoutComments([]byte(text)))
	require.Equal(t, strings.Count(text, "\n"), strings.Count(short, "\n"), "lines of %q", text)
	var whole, without any
	wrong := yaml.Unmarshal([]byte(text), &whole)
	if err := yaml.Unmarshal([]byte(short), &without); wrong == nil {
		require.NoError(t, err, "%q", text)
		require.Equal(t, whole, without, "%q", text)
	} else {
		require.Error(t, err, "%q", text)
		require.Equal(t, wrong.Error(), err.Error(), "%q", text)
	}
}
