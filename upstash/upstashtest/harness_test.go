package upstashtest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	fullToken = "full-token"
	readToken = "read-token"

	eventually = 10 * time.Second
	tick       = 5 * time.Millisecond
)

// realRedis starts a private server; on a machine without one the test fails.
func realRedis(tb testing.TB) *redisd.Server {
	tb.Helper()
	s, err := redisd.Start(tb.Context(), redisd.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Stop() })
	return s
}

// onBothEngines runs a test over the embedded engine and over a real one.
func onBothEngines(t *testing.T, test func(t *testing.T, c client)) {
	t.Run("embedded", func(t *testing.T) { test(t, start(t, "")) })
	t.Run("real", func(t *testing.T) { test(t, start(t, realRedis(t).URL())) })
}

func start(tb testing.TB, redisURL string) client {
	tb.Helper()
	return startWith(tb, upstashtest.Options{ReadOnlyToken: readToken, Redis: redisURL})
}

// startStrict is for comparing engines: both answer as Redis does.
func startStrict(tb testing.TB, redisURL string) client {
	tb.Helper()
	return startWith(tb, upstashtest.Options{ReadOnlyToken: readToken, Redis: redisURL, StrictRedis: true})
}

func startWith(tb testing.TB, o upstashtest.Options) client {
	tb.Helper()
	o.Token = fullToken
	s := upstashtest.Start(tb, o)
	return client{tb: tb, Server: s, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

// client is a REST client as simple as possible, independent of the product's.
type client struct {
	*upstashtest.Server
	tb   testing.TB
	http *http.Client
}

type answer struct {
	status int
	header http.Header
	body   string
}

// send makes one request; header pairs follow the body.
func (c client) send(method, path, body string, header ...string) answer {
	c.tb.Helper()
	a, err := c.try(method, path, body, header...)
	require.NoError(c.tb, err)
	return a
}

func (c client) try(method, path, body string, header ...string) (answer, error) {
	r, err := http.NewRequest(method, c.URL()+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+fullToken)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i+1] == "" {
			r.Header.Del(header[i])
		}
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(data)}, err
}

// post sends a body to a path and returns the answer's text.
func (c client) post(path, body string) string {
	c.tb.Helper()
	return c.send(http.MethodPost, path, body).body
}

// command runs one command and decodes its base64 answer: nil, json.Number,
// string, upstashtest.EngineError or []any.
func (c client) command(args ...string) any {
	c.tb.Helper()
	body, err := json.Marshal(args)
	require.NoError(c.tb, err)
	return decode(c.tb, c.send(http.MethodPost, "/", string(body), "Upstash-Encoding", "base64").body)
}

// batch runs commands at /pipeline or /multi-exec and decodes the answers.
func (c client) batch(path string, commands [][]string) any {
	c.tb.Helper()
	body, err := json.Marshal(commands)
	require.NoError(c.tb, err)
	text := c.send(http.MethodPost, path, string(body), "Upstash-Encoding", "base64").body
	if !strings.HasPrefix(text, "[") {
		return decode(c.tb, text)
	}
	var items []json.RawMessage
	require.NoError(c.tb, json.Unmarshal([]byte(text), &items))
	values := make([]any, len(items))
	for i, item := range items {
		values[i] = decode(c.tb, string(item))
	}
	return values
}

func decode(tb testing.TB, text string) any {
	tb.Helper()
	var a struct {
		Result any
		Error  *string
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	d.DisallowUnknownFields()
	require.NoError(tb, d.Decode(&a), "answer %s", text)
	if a.Error != nil {
		return upstashtest.EngineError(*a.Error)
	}
	return unBase64(tb, a.Result)
}

func unBase64(tb testing.TB, v any) any {
	switch v := v.(type) {
	case string:
		if v == "OK" {
			return v
		}
		data, err := base64.StdEncoding.DecodeString(v)
		require.NoError(tb, err)
		return string(data)
	case []any:
		for i := range v {
			v[i] = unBase64(tb, v[i])
		}
	}
	return v
}

func jsonNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }
