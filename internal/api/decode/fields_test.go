package decode

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestTextsAreReadAsJSONIs holds what is read by hand against encoding/json.
func TestTextsAreReadAsJSONIs(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "user_a", "a\"b", "\\", "]", ",", "\u2028", "é"}))
	space := rapid.SampledFrom([]string{"", " ", "\n\t"})
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(text, 0, 5).Draw(t, "texts")
		raw := "["
		for i, s := range want {
			quoted, err := json.Marshal(s)
			require.NoError(t, err)
			if i > 0 {
				raw += ","
			}
			raw += space.Draw(t, "before") + string(quoted) + space.Draw(t, "behind")
			one, ok := unquote(quoted)
			require.True(t, ok)
			require.Equal(t, s, one)
		}
		raw += space.Draw(t, "at the end") + "]"
		f := Open([]byte(`{"all": `+raw+` }`), "")
		got, ok := f.Texts("all", true, len(want))
		require.True(t, ok)
		require.Len(t, got, len(want))
		for i, s := range want {
			require.Equal(t, s, got[i])
		}
		require.NoError(t, f.Done())
	})
}

func TestWhatHoldsNotTextsAloneIsNoTexts(t *testing.T) {
	for raw, says := range map[string]string{
		`"a"`: "an array of strings", `{"a":"b"}`: "an array of strings", `["a",["b"]]`: "an array of strings", `[1]`: "an array of strings",
		`["a",{}]`: "an array of strings", `[true]`: "an array of strings", `["a",null]`: "a string", `["a","b","c"]`: "at most 2",
	} {
		f := Open([]byte(`{"all":`+raw+`}`), "")
		_, ok := f.Texts("all", true, 2)
		require.False(t, ok, raw)
		require.ErrorContains(t, f.Done(), says, raw)
	}
	for _, raw := range []string{`1`, `["a"]`, `{}`, `true`} {
		f := Open([]byte(`{"one":`+raw+`}`), "")
		_, ok := f.Text("one", true)
		require.False(t, ok, raw)
		require.ErrorContains(t, f.Done(), "must be a string")
	}
}
