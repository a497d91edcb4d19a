package decode

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

// A repeated name is found at any depth, and no value takes long to read, however it is nested.
func TestRepeatedNamesAreFoundAtAnyDepth(t *testing.T) {
	for raw, want := range map[string][2]string{
		`1`: {}, `{}`: {}, `[]`: {}, `{"a":1,"b":{"a":1,"b":[{"a":1},{"a":2}]}}`: {}, `1e999`: {}, `[[],{},"a",null]`: {},
		`{"a":1,"a":2}`:                                                         {"/a", "duplicate key"},
		`{"a":[1,{"b~/":{"c":1,"d":2,"c":3}}]}`:                                 {"/a/1/b~0~1/c", "duplicate key"},
		`[0,[],{"a":{}},{"x":"y","\u0078":1}]`:                                  {"/3/x", "duplicate key"},
		strings.Repeat("[", 33) + strings.Repeat("]", 33):                       {strings.Repeat("/0", 32), "more than 32 deep"},
		strings.Repeat(`{"a":`, 33) + "{}" + strings.Repeat("}", 33):            {strings.Repeat("/a", 32), "more than 32 deep"},
		strings.Repeat("[", 1020) + strings.Repeat("]", 1020):                   {strings.Repeat("/0", 32), "more than 32 deep"},
		strings.Repeat("[", 32) + strings.Repeat("]", 32):                       {},
		`{"a":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `,"b":1}`: {},
	} {
		require.True(t, json.Valid([]byte(raw)), raw)
		pointer, fault := repeatedWithin([]byte(raw))
		require.Equal(t, want[0], pointer, raw)
		require.Contains(t, fault, want[1], raw)
		require.Equal(t, want[1] == "", fault == "", raw)
	}
	// One allocation for each level and one for each token: twice as much text, twice as many.
	few := testing.AllocsPerRun(1, func() { repeatedWithin([]byte("[" + strings.Repeat(`[{"a":1}],`, 100) + "1]")) })
	many := testing.AllocsPerRun(1, func() { repeatedWithin([]byte("[" + strings.Repeat(`[{"a":1}],`, 200) + "1]")) })
	require.Less(t, many, 3*few)
}
