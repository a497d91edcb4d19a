package upstashtest

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzAppendEvent: an event comes through the lines of a stream unchanged, except for its
// line ends and bytes that are not UTF-8.
func FuzzAppendEvent(f *testing.F) {
	for _, seed := range []string{"", "message,c,hello", "a\nb\r\nc\rd\n", "\xff\xed\xa0\x80ä", "data: x\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		event := string(appendEvent([]byte("data: before\n\n"), text))
		lines := strings.Split(strings.TrimPrefix(event, "data: before\n\n"), "\n")
		require.Equal(t, []string{"", ""}, lines[len(lines)-2:], "an empty line ends it")
		var got []string
		for _, line := range lines[:len(lines)-2] {
			data, ok := strings.CutPrefix(line, "data: ")
			require.True(t, ok, "%q", line)
			require.NotContains(t, data, "\r")
			got = append(got, data)
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string([]rune(string(text))))
		require.Equal(t, want, strings.Join(got, "\n"))
	})
}

// FuzzStreamPath: whatever the path, the channels are its segments.
func FuzzStreamPath(f *testing.F) {
	f.Add("/subscribe/a%2Fb/c")
	f.Add("/PSUBSCRIBE//%zz")
	f.Add("/monitor?x")
	f.Fuzz(func(t *testing.T, path string) {
		kind := streamKind(path)
		c, err := parsePath(path, "", nil)
		if kind == "" || err != nil {
			return
		}
		for i, segment := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
			want, err := url.PathUnescape(segment)
			require.NoError(t, err)
			require.Equal(t, want, string(c.args[i]))
		}
	})
}

// FuzzMonitorLine: a line is printable, and every argument can be told apart.
func FuzzMonitorLine(f *testing.F) {
	f.Add([]byte("SET"), []byte("k\n\r\t\a\b\"\\\x00ä"))
	f.Fuzz(func(t *testing.T, name, arg []byte) {
		line := string(appendMonitorLine(nil, time.UnixMicro(1721284005242090), [][]byte{name, arg}))
		rest, ok := strings.CutPrefix(line, "1721284005.242090 [0 0.0.0.0:0] \"")
		require.True(t, ok, line)
		for _, c := range []byte(rest) {
			require.True(t, c >= ' ' && c <= '~', "%q", line)
		}
		quotes := strings.Count(strings.NewReplacer(`\\`, "", `\"`, "").Replace(rest), `"`)
		require.Equal(t, 3, quotes, line)
	})
}

// FuzzShebang: a script without the flag stays unchanged. A script with it changes only
// in its first line, and is found by both digests.
func FuzzShebang(f *testing.F) {
	f.Add([]byte("#!lua flags=allow-key-locking\nreturn 1"))
	f.Add([]byte("#!lua name=x flags=no-writes,allow-key-locking,\n"))
	f.Add([]byte("#!lua"))
	f.Add([]byte("return 1"))
	catalog := newCatalog()
	f.Fuzz(func(t *testing.T, script []byte) {
		s := shebangs{}
		c := command{args: [][]byte{[]byte("EVAL"), bytes.Clone(script), []byte("0")}, kind: catalog.kind([]byte("eval"))}
		s.rewrite(&c)
		kept := c.args[1]
		line, body, hasBody := bytes.Cut(script, []byte("\n"))
		keptLine, keptBody, _ := bytes.Cut(kept, []byte("\n"))
		if hasBody {
			require.Equal(t, body, keptBody)
		}
		if !bytes.HasPrefix(script, []byte("#!lua")) || !bytes.Contains(line, []byte(lockFlag)) {
			require.Equal(t, script, kept)
		}
		require.LessOrEqual(t, len(keptLine), len(line))
		bySHA := command{args: [][]byte{[]byte("EVALSHA"), hexSHA(script), []byte("0")}, kind: catalog.kind([]byte("evalsha"))}
		s.rewrite(&bySHA)
		require.Equal(t, hexSHA(kept), bySHA.args[1])
	})
}

func hexSHA(text []byte) []byte {
	sum := sha1.Sum(text)
	return []byte(hex.EncodeToString(sum[:]))
}

func FuzzParseRule(f *testing.F) {
	f.Add([]byte(`{"command":"incr","times":1,"cut":"after"}`))
	f.Add([]byte(`{"status":503,"body":{"error":"x"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseRule(data)
		if err != nil {
			return
		}
		fault := r.function()(Request{Commands: [][]string{{r.Command}}})
		require.LessOrEqual(t, fault.Delay, time.Minute)
		require.True(t, fault.Status == 0 || fault.Status >= 400 && fault.Status <= 599)
	})
}
