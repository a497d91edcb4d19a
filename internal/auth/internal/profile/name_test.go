package profile

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnyNameBecomesOneShortLineAndStaysIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := Name(rapid.String().Draw(t, "name"))
		require.LessOrEqual(t, utf8.RuneCountInString(name), maxName)
		require.Equal(t, strings.TrimSpace(name), name)
		require.Equal(t, -1, strings.IndexFunc(name, unicode.IsControl))
		require.Equal(t, name, Name(name))
	})
}
