package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var storedKey = regexp.MustCompile("`([a-z]+:?)[^`]*`")

func TestTheGlossaryHasAWordForEachStoredKey(t *testing.T) {
	_, keys, found := strings.Cut(read(t, "docs/reference/redis-keys.md"), "\n## Keys\n")
	require.True(t, found)
	_, stored, found := strings.Cut(read(t, "docs/internals/glossary.md"), "\n## Stored names\n")
	require.True(t, found)
	checked := 0
	for line := range strings.Lines(keys) {
		cells := strings.Split(line, "|")
		if strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "### ") {
			break
		}
		if len(cells) < 4 {
			continue
		}
		for _, key := range storedKey.FindAllStringSubmatch(cells[1], -1) {
			require.Contains(t, stored, "`"+key[1], "the glossary has no word for the key %s", key[1])
			checked++
		}
	}
	require.Greater(t, checked, 60)
}
