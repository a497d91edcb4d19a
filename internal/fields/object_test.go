package fields

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever an object holds, its members are told apart, and one that is there
// again is found: wherever it stands, and however it is written.
func TestRepeatedNamesAreFoundInAnyObject(t *testing.T) {
	value := rapid.SampledFrom([]string{`1`, `"a:{\\\""`, `":"`, `{"a":{"b":1}}`, `[{"a":1},{"a":2}]`, `null`, `{}`, `[]`, `"\\"`, `-1.5e3`})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringOf(rapid.SampledFrom([]rune(`ab":{}[]\,é `))), 1, 6, rapid.ID).Draw(t, "names")
		again := rapid.IntRange(-1, len(names)-1).Draw(t, "again")
		write := func(name string) string {
			if rapid.Bool().Draw(t, "escaped") {
				var all strings.Builder
				for _, r := range name {
					all.WriteString(`\u` + strconv.FormatInt(0x10000+int64(r), 16)[1:])
				}
				return `"` + all.String() + `":` + value.Draw(t, "value")
			}
			quoted, err := json.Marshal(name)
			require.NoError(t, err)
			return string(quoted) + `:` + value.Draw(t, "value")
		}
		var parts []string
		for _, name := range names {
			parts = append(parts, write(name))
		}
		if again >= 0 {
			parts = append(parts, write(names[again]))
		}
		object := "{" + strings.Join(parts, rapid.SampledFrom([]string{",", " ,\n"}).Draw(t, "comma")) + "}"
		require.True(t, json.Valid([]byte(object)), object)
		require.Equal(t, len(parts), members([]byte(object)), object)
		if again >= 0 {
			require.Equal(t, names[again], repeatedName([]byte(object)), object)
		}
	})
}
