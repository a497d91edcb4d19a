package host_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// script is a handler made of drawn steps.
type script struct {
	status  int // 0: the handler writes none
	headers [][2]string
	cookies []string
	chunks  [][]byte
}

func (s script) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for _, h := range s.headers {
		w.Header().Add(h[0], h[1])
	}
	for _, c := range s.cookies {
		http.SetCookie(w, &http.Cookie{Name: "c", Value: c})
	}
	if s.status != 0 {
		w.WriteHeader(s.status)
	}
	for _, chunk := range s.chunks {
		_, _ = w.Write(chunk)
	}
	w.Header().Set("X-Too-Late", "yes")
}

func drawScript(t *rapid.T) script {
	s := script{
		status:  rapid.SampledFrom([]int{0, 200, 201, 204, 304, 400, 404, 429, 503}).Draw(t, "status"),
		cookies: rapid.SliceOfN(rapid.StringMatching(`[a-z0-9]{1,5}`), 0, 3).Draw(t, "cookies"),
		chunks:  rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 300), 0, 4).Draw(t, "chunks"),
	}
	for range rapid.IntRange(0, 4).Draw(t, "headers") {
		s.headers = append(s.headers, [2]string{
			rapid.SampledFrom([]string{"Content-Type", "ETag", "Vary", "X-A", "WWW-Authenticate"}).Draw(t, "name"),
			rapid.StringMatching(`[A-Za-z0-9/"=][A-Za-z0-9 /"=]{0,8}[A-Za-z0-9/"=]`).Draw(t, "value"),
		})
	}
	return s
}

// A handler must not be able to tell, by what the client gets, whether it ran
// behind net/http or behind the adapter.
func TestAdapterAnswersAsNetHTTPWould(t *testing.T) {
	var current atomic.Pointer[script]
	plain := httptest.NewServer(host.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current.Load().ServeHTTP(w, r)
	}), io.Discard))
	defer plain.Close()
	rapid.Check(t, func(rt *rapid.T) {
		s := drawScript(rt)
		current.Store(&s)
		method := rapid.SampledFrom([]string{http.MethodGet, http.MethodPost, http.MethodHead}).Draw(rt, "method")

		req, err := http.NewRequestWithContext(t.Context(), method, plain.URL, nil)
		require.NoError(rt, err)
		want, err := plain.Client().Do(req)
		require.NoError(rt, err)
		defer func() { require.NoError(rt, want.Body.Close()) }()
		wantBody, err := io.ReadAll(want.Body)
		require.NoError(rt, err)

		out, err := host.Adapter(s, io.Discard).Invoke(t.Context(), newEvent(func(e *events.APIGatewayV2HTTPRequest) {
			e.RequestContext.HTTP.Method = method
		}))
		require.NoError(rt, err)
		got := decodeAnswer(t, out)

		require.Equal(rt, want.StatusCode, got.StatusCode)
		require.Equal(rt, string(wantBody), decodedBody(t, got))
		require.Equal(rt, want.Header.Values("Set-Cookie"), append([]string(nil), got.Cookies...))
		want.Header.Del("Set-Cookie")
		want.Header.Del("Date")
		if want.Header.Get("Content-Length") == "" {
			delete(got.Headers, "Content-Length") // net/http chunked it
		}
		want.Header.Set("X-Request-Id", "gateway-id") // each host has its own
		joined := map[string]string{}
		for name := range want.Header {
			joined[name] = joinValues(want.Header.Values(name))
		}
		if len(joined) > 0 || len(got.Headers) > 0 {
			require.Equal(rt, joined, got.Headers)
		}
	})
}

func joinValues(values []string) string {
	out := values[0]
	for _, v := range values[1:] {
		out += ", " + v
	}
	return out
}

func decodedBody(t *testing.T, a events.APIGatewayV2HTTPResponse) string {
	t.Helper()
	if !a.IsBase64Encoded {
		return a.Body
	}
	body, err := base64.StdEncoding.DecodeString(a.Body)
	require.NoError(t, err)
	return string(body)
}

func TestAdapterCannotBeMadeToSplitHeaders(t *testing.T) {
	answer := invoke(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Name", "a\r\nSet-Cookie: stolen=1")
	}), newEvent(nil))
	require.Equal(t, "a  Set-Cookie: stolen=1", answer.Headers["X-Name"])
}

func TestAdapterTakesTheStatusOnce(t *testing.T) {
	answer := invoke(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusCreated)
		w.WriteHeader(http.StatusTeapot)
	}), newEvent(nil))
	require.Equal(t, http.StatusCreated, answer.StatusCode)
}

func TestAdapterTreatsAnImpossibleStatusAsAPanic(t *testing.T) {
	answer := invoke(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(7) }), newEvent(nil))
	requireProblem(t, answer, http.StatusInternalServerError)
}

func FuzzAdapter(f *testing.F) {
	f.Add(newEvent(nil))
	f.Add(newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.RawPath, e.Body = "/a%2Fb?%", "x" }))
	f.Add([]byte(`{"version":"2.0","isBase64Encoded":true,"body":"?","requestContext":{"http":{"method":"G T"}}}`))
	f.Add([]byte(`{"httpMethod":"GET"}`))
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
		_, _ = io.WriteString(w, r.URL.String()+r.RequestURI)
	})
	f.Fuzz(func(t *testing.T, event []byte) {
		out, err := host.Adapter(h, io.Discard).Invoke(t.Context(), event)
		var eventErr *host.EventError
		if err != nil && !errors.As(err, &eventErr) {
			t.Fatalf("want an EventError, got %v", err)
		}
		if err == nil && !json.Valid(out) {
			t.Fatalf("the answer is not JSON: %q", out)
		}
	})
}

func BenchmarkAdapter(b *testing.B) {
	body := []byte(`{"entries":[{"rank":1,"player":"user_a","score":1000,"name":"Ana","country":"BR"}`)
	for i := range 99 {
		body = append(body, `,{"rank":`+strconv.Itoa(i+2)+`,"player":"user_a","score":1000,"name":"Ana","country":"BR"}`...)
	}
	body = append(body, `]}`...)
	f := host.Adapter(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}), io.Discard)
	event := newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.RawPath = "/v1/leaderboards/daily_frame" })
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Invoke(b.Context(), event); err != nil {
			b.Fatal(err)
		}
	}
}
