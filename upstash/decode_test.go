package upstash_test

import (
	"encoding/base64"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/upstash"
)

func TestScalarsAreReadExactly(t *testing.T) {
	for name, tc := range map[string]struct {
		body string
		text string
	}{
		"bare OK":               {`{"result":"OK"}`, "OK"},
		"encoded OK":            {`{"result":"T0s="}`, "OK"},
		"empty":                 {`{"result":""}`, ""},
		"bytes":                 {`{"result":"/wD+"}`, "\xff\x00\xfe"},
		"escaped slash":         {`{"result":"\/wD+"}`, "\xff\x00\xfe"},
		"escaped characters":    {`{"result":"T0s\u003d"}`, "OK"},
		"largest integer":       {`{"result":9223372036854775807}`, "9223372036854775807"},
		"smallest integer":      {`{"result":-9223372036854775808}`, "-9223372036854775808"},
		"beyond 53 bits":        {`{"result":9007199254740993}`, "9007199254740993"},
		"zero":                  {`{"result":0}`, "0"},
		"fraction":              {`{"result":1.5e-7}`, "1.5e-7"},
		"white space":           {" \t\r\n{ \"result\" : 1 } \n", "1"},
		"members around":        {`{"x":{"result":[1,{"a":null}]},"result":1,"y":[],"z":{},"n":-1.5,"t":true}`, "1"},
		"null error":            {`{"error":null,"result":1}`, "1"},
		"escaped member name":   {`{"\u0072esult":1}`, "1"},
		"every escape, skipped": {`{"x":"\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00","result":1}`, "1"},
		"nested, skipped":       {`{"x":[ ],"y":{ "a" : [1 , "b"] , "c":-0.5E+3},"result":1}`, "1"},
		"over one chunk":        {`{"result":` + text(strings.Repeat("abc", 1000)) + `}`, strings.Repeat("abc", 1000)},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := upstash.Decode([]byte(tc.body), -1)
			require.NoError(t, err)
			require.NoError(t, reply.Err())
			require.False(t, reply.IsNil())
			got, err := reply.Text()
			require.NoError(t, err)
			require.Equal(t, tc.text, got)
		})
	}
}

func TestAnswersThatAreNoneAreRefused(t *testing.T) {
	deep := strings.Repeat("[", upstash.MaxDepth+1)
	for name, tc := range map[string]struct {
		body  string
		count int
	}{
		"empty":               {``, -1},
		"html":                {`<html>`, -1},
		"bare value":          {`1`, -1},
		"array for one":       {`[{"result":1}]`, -1},
		"neither member":      {`{}`, -1},
		"only null error":     {`{"error":null}`, -1},
		"error is a number":   {`{"error":1}`, -1},
		"result is an object": {`{"result":{}}`, -1},
		"result is true":      {`{"result":true}`, -1},
		"result is nul":       {`{"result":nul}`, -1},
		"no result":           {`{"result":}`, -1},
		"trailing comma":      {`{"result":1,}`, -1},
		"trailing element":    {`{"result":[1,]}`, -1},
		"missing comma":       {`{"result":[1 2]}`, -1},
		"cut off":             {`{"result":[1,`, -1},
		"cut string":          {`{"result":"T0s`, -1},
		"cut escape":          {`{"result":"\`, -1},
		"cut unicode":         {`{"result":"\u00`, -1},
		"unknown escape":      {`{"result":"\x"}`, -1},
		"newline in string":   {"{\"result\":\"T0\ns=\"}", -1},
		"bad member":          {`{"x":{1:2},"result":1}`, -1},
		"no colon":            {`{"x":{"a" 2},"result":1}`, -1},
		"bad value":           {`{"x":{"a":?},"result":1}`, -1},
		"open member":         {`{"x":[1;2],"result":1}`, -1},
		"number instead":      {`{1:2}`, -1},
		"two answers":         {`{"result":1}{"result":2}`, -1},
		"leading zero":        {`{"result":01}`, -1},
		"plus sign":           {`{"result":+1}`, -1},
		"lonely minus":        {`{"result":-}`, -1},
		"no decimals":         {`{"result":1.}`, -1},
		"no exponent":         {`{"result":1e}`, -1},
		"not a number":        {`{"result":NaN}`, -1},
		"plain text":          {`{"result":"hello world"}`, -1},
		"half base64":         {`{"result":"abc"}`, -1},
		"padding within":      {`{"result":"YQ==YQ=="}`, -1},
		"arrays too deep":     {`{"result":` + deep, -1},
		"members too deep":    {`{"x":` + deep, -1},
		"too few answers":     {`[{"result":1}]`, 2},
		"too many answers":    {`[{"result":1},{"result":1}]`, 1},
		"one for many":        {`{"result":1}`, 1},
		"values for many":     {`[1]`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := upstash.Decode([]byte(tc.body), tc.count)
			require.Error(t, err)
		})
	}
}

func TestDecodingBoundsItsMemory(t *testing.T) {
	many := `{"result":[` + strings.Repeat("0,", upstash.MaxValues) + `0]}`
	_, err := upstash.Decode([]byte(many), -1)
	require.ErrorContains(t, err, "too long")
}

// A board of many thousands stands between others in one answer, and takes no more memory
// than its elements: it is not copied as it grows.
func TestLargeArraysAreReadWhereTheyStand(t *testing.T) {
	decode := upstash.Decoder()
	for _, n := range []int{upstash.KeptValues - 1, upstash.KeptValues, upstash.KeptValues + 1, 40_000} {
		large, few := make([]any, n), []any{int64(1), []any{"a", nil}, "b"}
		for i := range large {
			large[i] = int64(i)
		}
		large[n/2] = []any{few, "within"}
		want := []any{few, large, few, large}
		var body []byte
		for i, reply := range want {
			text, err := json.Marshal(map[string]any{"result": wire(reply)})
			require.NoError(t, err)
			body = append(append(body, "[,,,"[i]), text...)
		}
		body = append(body, ']')
		for range 2 { // what the first answer has left behind is in the way of nobody
			got, err := decode(body, len(want))
			require.NoError(t, err)
			requireSame(t, want, got)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := decode(body, len(want))
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		allocated := int64(after.TotalAlloc - before.TotalAlloc)
		require.Less(t, allocated, int64(len(body)+2*n*100), "48 bytes for each element, and some for what might have been one")
	}
}

// element is a reply as a plain model, and as the server would write it.
func element(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 4
		if depth == 0 {
			kinds = 3
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Int64().Draw(t, "n")
		case 2:
			return string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		}
		return rapid.SliceOfN(element(depth-1), 0, 4).Draw(t, "a")
	})
}

// valid is a reply whose strings are made valid UTF-8.
func valid(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToValidUTF8(v, "\u2028<🟩")
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = valid(v[i])
		}
		return out
	}
	return v
}

func wire(v any) any {
	switch v := v.(type) {
	case string:
		return base64.StdEncoding.EncodeToString([]byte(v))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = wire(v[i])
		}
		return out
	}
	return v
}

func requireSame(t require.TestingT, want any, got upstash.Reply) {
	switch want := want.(type) {
	case nil:
		require.True(t, got.IsNil())
	case int64:
		n, err := got.Int64()
		require.NoError(t, err)
		require.Equal(t, want, n)
	case string:
		s, err := got.Text()
		require.NoError(t, err)
		require.Equal(t, want, s)
	case []any:
		items, err := got.Array()
		require.NoError(t, err)
		require.Len(t, items, len(want))
		for i := range want {
			requireSame(t, want[i], items[i])
		}
	}
}

func TestAnyReplyIsReadAsItWasWritten(t *testing.T) {
	decode := upstash.Decoder()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(element(3), 1, 5).Draw(t, "replies")
		envelopes := make([]map[string]any, len(want))
		for i, v := range want {
			envelopes[i] = map[string]any{"result": wire(v)}
		}
		body, err := json.Marshal(envelopes)
		require.NoError(t, err)
		reply, err := decode(body, len(want))
		require.NoError(t, err)
		requireSame(t, want, reply)
	})
}

func TestAnyTextReplyIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := valid(rapid.SliceOfN(element(3), 1, 5).Draw(t, "replies")).([]any)
		envelopes := make([]map[string]any, len(want))
		for i, v := range want {
			envelopes[i] = map[string]any{"result": v}
		}
		body, err := json.Marshal(envelopes)
		require.NoError(t, err)
		reply, err := upstash.DecodeText(body, len(want))
		require.NoError(t, err)
		requireSame(t, want, reply)
	})
}

func TestATextAnswerThatIsNotUTF8IsRefused(t *testing.T) {
	_, err := upstash.DecodeText([]byte("{\"result\":\"a\xffb\"}"), -1)
	require.ErrorContains(t, err, "not valid UTF-8")
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"result":"OK"}`, `{"result":["YQ==",null,-1.5e3,[[]]]}`, `{"error":"ERR \ud83d\ude00 \ud83dx"}`,
		`[{"result":1},{"error":"NOSCRIPT x"}]`, `{"x":{"y":[true,false,null]},"result":0}`, `{"result":"\/wD+"}`,
	} {
		f.Add([]byte(s), -1)
		f.Add([]byte(s), 2)
	}
	decode := upstash.Decoder()
	f.Fuzz(func(t *testing.T, body []byte, count int) {
		if reply, err := upstash.DecodeText(body, max(-1, count%8)); err == nil {
			require.True(t, json.Valid(body), "accepted what is not JSON")
			walk(t, reply)
		}
		reply, err := decode(body, max(-1, count%8))
		if err != nil {
			return
		}
		require.True(t, json.Valid(body), "accepted what is not JSON")
		walk(t, reply)
	})
}

// walk uses every accessor, none of which may panic.
func walk(t *testing.T, r upstash.Reply) {
	_, _ = r.Int64()
	_, _ = r.Float64()
	_, _ = r.Strings()
	if items, err := r.Array(); err == nil {
		for _, item := range items {
			walk(t, item)
		}
		return
	}
	if r.Err() == nil && !r.IsNil() {
		_, err := r.Text()
		require.NoError(t, err)
	}
}
