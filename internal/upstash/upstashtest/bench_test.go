package upstashtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRESTBesideRaw shows what REST adds to a real server: the same
// commands over HTTP and straight over one Redis connection.
func BenchmarkRESTBesideRaw(b *testing.B) {
	c := start(b, realRedis(b).URL())
	engine := c.Redis()
	set, get := []string{"SET", "k", "value-of-some-length"}, []string{"GET", "k"}
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
	for name, args := range map[string][]string{"raw/set": set, "raw/get": get} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := engine.Do(b.Context(), args...)
				require.NoError(b, err)
			}
		})
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
