package upstash_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/upstash"
)

func TestRequestCarriesCommandAndHeaders(t *testing.T) {
	srv := serve(t, ok(`{"result":"OK"}`))
	_, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("SET", "k", "v"))
	require.NoError(t, err)
	got := srv.requests()[0]
	require.Equal(t, `["SET","k","v"]`, got.body)
	require.Equal(t, "Bearer "+testToken, got.header.Get("Authorization"))
	require.Equal(t, "base64", got.header.Get("Upstash-Encoding"))
	require.Equal(t, "application/json", got.header.Get("Content-Type"))
	require.NotContains(t, got.header, "Idempotency-Key", "it would let net/http send again on its own")
	require.NotContains(t, got.header, "Upstash-Sync-Token")
}

func TestWordsSurviveTheJourney(t *testing.T) {
	for name, word := range map[string]string{
		"empty":        "",
		"quotes":       `say "hi" \ 'x'`,
		"control":      "a\x00b\x01\n\r\t\x1f\x7f",
		"separators":   "a\u2028b\u2029c",
		"html":         "<b>&amp;</b>",
		"emoji":        "🟩🟨⬛ ünïcödé 日本",
		"big number":   "9223372036854775807",
		"looks like a": `["GET","k"]`,
		"replacement":  "\uFFFD",
		"byte order":   "\uFEFFx",
		"last rune":    "\U0010FFFF",
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, ok(`{"result":`+text(word)+`}`))
			reply, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("ECHO", word))
			require.NoError(t, err)
			var sent []string
			require.NoError(t, json.Unmarshal([]byte(srv.requests()[0].body), &sent))
			require.Equal(t, []string{"ECHO", word}, sent)
			got, err := reply.Text()
			require.NoError(t, err)
			require.Equal(t, word, got)
		})
	}
}

func TestTextAnswersAreAskedForAsTheyAre(t *testing.T) {
	const word = `<b>"🟩" \ OK`
	quoted, err := json.Marshal(word)
	require.NoError(t, err)
	srv := serve(t, ok(`{"result":["OK","T0s=",`+string(quoted)+`,"1.5",7]}`))
	asText := client(t, srv.URL, func(c *upstash.Config) { c.TextAnswers = true })
	reply, err := asText.Do(t.Context(), upstash.Cmd("X"))
	require.NoError(t, err)
	require.NotContains(t, srv.requests()[0].header, "Upstash-Encoding")
	got, err := reply.Array()
	require.NoError(t, err)
	for i, want := range []string{"OK", "T0s=", word, "1.5", "7"} {
		text, err := got[i].Text()
		require.NoError(t, err)
		require.Equal(t, want, text)
	}
}

func TestUnsendableCommandsAreRefusedBeforeSending(t *testing.T) {
	big := strings.Repeat("x", upstash.MaxCommand)
	for name, tc := range map[string]struct {
		cmd  upstash.Command
		kind upstash.Kind
		want string
	}{
		"zero":            {upstash.Command{}, upstash.KindArgument, "no name"},
		"empty name":      {upstash.Cmd(""), upstash.KindArgument, "no name"},
		"invalid utf-8":   {upstash.Cmd("SET", "k", "secret\xff"), upstash.KindArgument, "argument 2 is not valid UTF-8"},
		"half surrogate":  {upstash.Cmd("SET", "k", "\xed\xa0\x80"), upstash.KindArgument, "UTF-8"},
		"invalid script":  {upstash.NewScript("\xff", nil).Command(nil), upstash.KindArgument, "script"},
		"over 10 MiB":     {upstash.Cmd("SET", "k", big+"x"), upstash.KindTooLarge, "at most 10485760"},
		"with its quotes": {upstash.Cmd("SET", "k", big[:len(big)-8]), upstash.KindTooLarge, "as JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, ok(`{"result":1}`))
			c := client(t, srv.URL)
			_, err := c.Do(t.Context(), tc.cmd)
			e := failed(t, err)
			require.Equal(t, tc.kind, e.Kind())
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), "secret")
			require.False(t, e.MaybeApplied())
			require.True(t, e.SafeToRetry())

			_, err = c.Pipeline(t.Context(), upstash.Cmd("GET", "k"), tc.cmd)
			require.ErrorIs(t, err, tc.kind)
			require.ErrorContains(t, err, "pipeline item 1")
			require.Empty(t, srv.requests())
			require.Zero(t, c.Meter().Usage().RoundTrips)
		})
	}
}

func TestLargestCommandIsSent(t *testing.T) {
	srv := serve(t, ok(`{"result":"OK"}`))
	value := strings.Repeat("x", upstash.MaxCommand-len(`["SET","k",""]`))
	_, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("SET", "k", value))
	require.NoError(t, err)
	require.Len(t, srv.requests()[0].body, upstash.MaxCommand)
}

func TestPipelineBodyReadsBackAsItsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.String()
		want := rapid.SliceOfN(rapid.SliceOfN(word, 1, 5), 1, 5).Draw(t, "commands")
		cmds := make([]upstash.Command, len(want))
		for i, args := range want {
			args[0] = "X" + args[0]
			cmds[i] = upstash.Cmd(args...)
		}
		body, err := upstash.EncodePipeline(nil, cmds)
		require.NoError(t, err)
		var got [][]string
		require.NoError(t, json.Unmarshal(body, &got))
		require.Equal(t, want, got)
	})
}

func FuzzEncode(f *testing.F) {
	for _, s := range []string{"", "\x00\x1f\"\\/", "\u2028\U0010FFFF", "\xff", "\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		body, err := upstash.EncodePipeline(nil, []upstash.Command{upstash.Cmd("ECHO", s)})
		if !utf8.ValidString(s) {
			require.ErrorIs(t, err, upstash.KindArgument)
			return
		}
		require.NoError(t, err)
		var got [][]string
		require.NoError(t, json.Unmarshal(body, &got))
		require.Equal(t, [][]string{{"ECHO", s}}, got)
	})
}
