package upstashtest_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRESTBesideRaw shows what REST adds to a real server: it sends the same
// commands over HTTP and directly over one Redis connection.
func BenchmarkRESTBesideRaw(b *testing.B) {
	c := start(b, realRedis(b).URL())
	pipeline := `[` + strings.Repeat(`["SET","k","value-of-some-length"],["GET","k"],`, 4) + `["ZADD","z",1,"a"],["ZREVRANK","z","a","WITHSCORE"]]`
	for _, bench := range []struct{ name, path, body string }{
		{"rest/set", "/", `["SET","k","value-of-some-length"]`},
		{"rest/get", "/", `["GET","k"]`},
		{"rest/pipeline-of-10", "/pipeline", pipeline},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, c.discard(bench.path, bench.body))
			}
		})
	}
	raw, err := net.Dial("tcp", c.Redis().Addr())
	require.NoError(b, err)
	defer raw.Close()
	ten := strings.Repeat("SET k value-of-some-length\r\nGET k\r\n", 4) + "ZADD z 1 a\r\nZREVRANK z a WITHSCORE\r\n"
	for _, bench := range []struct{ name, text string }{
		{"raw/set", "SET k value-of-some-length\r\n"},
		{"raw/get", "GET k\r\n"},
		{"raw/pipeline-of-10", ten},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, exchangeRaw(raw, bench.text))
			}
		})
	}
}

// exchangeRaw sends commands and an ECHO; the answer to the ECHO ends the reading.
func exchangeRaw(c net.Conn, commands string) error {
	if _, err := io.WriteString(c, commands+"ECHO the-end\r\n"); err != nil {
		return err
	}
	buf := make([]byte, 4096)
	for n := 0; ; {
		m, err := c.Read(buf[n:])
		if err != nil {
			return err
		}
		if n += m; strings.HasSuffix(string(buf[:n]), "the-end\r\n") {
			return nil
		}
	}
}

func (c client) discard(path, body string) error {
	r, err := http.NewRequest(http.MethodPost, c.URL()+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+fullToken)
	r.Header.Set("Upstash-Encoding", "base64")
	resp, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
