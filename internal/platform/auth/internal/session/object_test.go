package session

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEveryObjectIsReadBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "object")
		text, err := json.Marshal(want)
		require.NoError(t, err)
		got, err := parseObject(text)
		require.NoError(t, err)
		require.Len(t, got, len(want))
		for name, value := range want {
			read, ok := got.text(name)
			require.True(t, ok)
			require.Equal(t, value, read)
		}
	})
}

// An object that is accepted is one that encoding/json accepts as well, with
// the same members: nothing was merged, dropped or left over. One that is
// refused is not an object or has a name twice.
func FuzzParseObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { "a" : 1 , "b" : [ ] } `, `{"a":1,"a":2}`, `{"a":{"b":[null,{"c":"}\""}]},"d":-1.5e3}`,
		`{"a":1}{}`, `{"\u0061":1,"a":2}`, `[`, `null`, `"{}"`, `[{"a":1}]`, `{"a":"\\","b":true}`, "{\"\xff\":1}", ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseObject(data)
		var want map[string]json.RawMessage
		if bad := json.Unmarshal(data, &want); bad != nil || want == nil {
			require.Error(t, err)
			return
		}
		if err != nil {
			require.Greater(t, countNames(t, data), len(want))
			return
		}
		require.Len(t, got, len(want))
		for name, value := range want {
			require.Equal(t, string(value), string(got[name]), name)
		}
	})
}

// countNames counts the members of a JSON object as encoding/json reads them,
// repeated ones too.
func countNames(t *testing.T, data []byte) int {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	_, err := d.Token()
	require.NoError(t, err)
	count := 0
	for ; d.More(); count++ {
		_, err := d.Token()
		require.NoError(t, err)
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
	}
	return count
}
