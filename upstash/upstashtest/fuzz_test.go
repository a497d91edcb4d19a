package upstashtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	"github.com/stretchr/testify/require"
)

// FuzzParsePipeline: encoding/json reads the same from whatever the parser accepts; what
// the parser refuses is not an array of arrays of scalars.
func FuzzParsePipeline(f *testing.F) {
	for _, seed := range []string{
		`[["SET","k","v"],["GET","k"]]`, `[["ZADD","z",1e21,-0.5,true]]`, `[["\u00e4\ud83c\udfae\ud800","\\\/\n"]]`,
		`[[]]`, `[["a",null]]`, `[["a",01]]`, ` [ [ "a" ] ] `, `[["a"]]x`, `[["` + "\xff" + `"]]`, `[["a",-]]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		want, ok := jsonPipeline(body)
		x := newExchange()
		err := x.parsePipeline(bytes.Clone(body))
		require.Equal(t, ok, err == nil, "%q: %v", body, err)
		if err != nil {
			return
		}
		require.Len(t, x.commands, len(want))
		for i, c := range x.commands {
			require.Len(t, c.args, len(want[i]))
			for j, arg := range c.args {
				require.Equal(t, want[i][j], string(arg))
			}
		}
	})
}

// jsonPipeline parses the same language with the standard library.
func jsonPipeline(body []byte) (commands [][]string, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var rows [][]any
	if !utf8.Valid(body) || !json.Valid(body) || d.Decode(&rows) != nil || len(rows) == 0 {
		return nil, false
	}
	for _, row := range rows {
		var args []string
		for _, v := range row {
			switch v := v.(type) {
			case string:
				args = append(args, v)
			case json.Number:
				args = append(args, v.String())
			case bool:
				args = append(args, map[bool]string{true: "true", false: "false"}[v])
			default:
				return nil, false
			}
		}
		if len(args) == 0 || args[0] == "" {
			return nil, false
		}
		commands = append(commands, args)
	}
	return commands, true
}

func FuzzParseCommand(f *testing.F) {
	f.Add([]byte(`["SET","k",1000000]`))
	f.Add([]byte(`["SET","k"`))
	f.Fuzz(func(t *testing.T, body []byte) {
		x := newExchange()
		err := x.parseCommand(bytes.Clone(body))
		rows, ok := jsonPipeline([]byte("[" + string(body) + "]"))
		if len(rows) > 1 {
			ok = false
		}
		require.Equal(t, ok, err == nil, "%q: %v", body, err)
		if err == nil {
			require.Len(t, x.commands[0].args, len(rows[0]))
		}
	})
}

// FuzzParsePath: arguments survive the way through a URL.
func FuzzParsePath(f *testing.F) {
	f.Add("GET", "k/ä%2F+ ", "EX", "1 &=00", []byte("body"))
	f.Add("", "", "_token", "x", []byte(nil))
	f.Fuzz(func(t *testing.T, name, arg, option, value string, body []byte) {
		path := "/" + url.PathEscape(name) + "/" + url.PathEscape(arg)
		query := url.QueryEscape(option) + "=" + url.QueryEscape(value)
		c, err := parsePath(path, query, body)
		if name == "" {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		want := []string{name, arg}
		if len(body) > 0 {
			want = append(want, string(body))
		}
		if option != "" && option != tokenParameter {
			want = append(want, option, value)
		}
		require.Equal(t, want, texts(c.args))
	})
}

// FuzzParsePathNeverPanics takes any paths and queries.
func FuzzParsePathNeverPanics(f *testing.F) {
	f.Add("/get/%zz", "a=%zz&&=b&_token")
	f.Fuzz(func(t *testing.T, path, query string) {
		c, err := parsePath(path, query, nil)
		if err == nil {
			require.NotEmpty(t, c.args)
			require.NotEmpty(t, c.args[0])
		}
	})
}

// FuzzReplies: whatever the engine sends becomes valid JSON, or the same bytes, or an
// error. All readers agree on which, and on how many bytes they took.
func FuzzReplies(f *testing.F) {
	for _, seed := range []string{
		"+OK\r\n", "-ERR x\r\n", ":12\r\n", "$3\r\na\"\xff\r\n", "$-1\r\n", "*-1\r\n", "*2\r\n:1\r\n*1\r\n$0\r\n\r\n",
		"*1\r\n-ERR in\r\n", "$5\r\nab\r\n", "*9999999\r\n", "$536870912\r\nx", ":x\r\n", "\r\n", "+a\n", strings.Repeat("*1\r\n", 100),
		strings.Repeat("*1\r\n", 64) + "*0\r\n", strings.Repeat("*1\r\n", 63) + "*0\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(f func(*resp.Reader) error) (left int, err error) {
			from := bufio.NewReader(bytes.NewReader(data))
			err = f(resp.NewReader(from))
			return from.Buffered(), err
		}
		want, errValue := read(func(rr *resp.Reader) error { _, err := rr.Value(0); return err })
		left, err := read((*resp.Reader).Skip)
		require.Equal(t, errValue == nil, err == nil, "%v, %v", errValue, err)
		if err == nil {
			require.Equal(t, want, left)
		}
		for _, format := range []format{formatJSON, formatBase64, formatRESP} {
			var out []byte
			var failed bool
			left, err := read(func(rr *resp.Reader) (err error) { out, failed, err = appendReply(rr, nil, format); return err })
			require.Equal(t, errValue == nil, err == nil, "%v, %v", errValue, err)
			switch {
			case err != nil:
			case format != formatRESP:
				require.True(t, json.Valid(out), "%q", out)
				require.Equal(t, want, left)
			case !failed:
				require.True(t, bytes.HasPrefix(data, out), "%q", out)
			}
		}
	})
}

func FuzzAppendString(f *testing.F) {
	f.Add([]byte("a\"\\\x00\x1f\x7f\u2028ä\xff\xed\xa0\x80"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var got string
		require.NoError(t, json.Unmarshal(appendString(nil, text), &got))
		require.Equal(t, string([]rune(string(text))), got)
	})
}

func texts(args [][]byte) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = string(arg)
	}
	return out
}

// FuzzAppendCommand: a reader of the protocol reads back the same arguments from what is
// written to the engine, and nothing after them.
func FuzzAppendCommand(f *testing.F) {
	f.Add([]byte("SET"), []byte("k\r\n$3\r\n"), []byte("\x00\xff"))
	f.Add([]byte(""), []byte("*1"), []byte(nil))
	f.Fuzz(func(t *testing.T, name, key, value []byte) {
		wire := resp.AppendCommand(nil, name, key, value)
		from := bufio.NewReader(bytes.NewReader(wire))
		got, err := resp.NewReader(from).Value(0)
		require.NoError(t, err)
		require.Equal(t, []any{string(name), string(key), string(value)}, got)
		require.Zero(t, from.Buffered())
	})
}

// FuzzRedisURL: an address is read or refused, and a refusal does not show the
// password.
func FuzzRedisURL(f *testing.F) {
	f.Add("redis://user:", "hunter2hunter2", "@127.0.0.1:6379/3")
	f.Add("rediss://:", "hunter2hunter2", "@h")
	f.Add("redis://[::1", "hunter2hunter2", "]:x/-1")
	f.Fuzz(func(t *testing.T, before, password, after string) {
		p, err := newPool(before + password + after)
		switch {
		case err == nil:
			require.NotEmpty(t, p.addr)
		case len(password) > 12 && before == "redis://user:" && strings.HasPrefix(after, "@") && !strings.ContainsAny(password, "/?#@"):
			require.NotContains(t, err.Error(), password)
		}
	})
}
