package host_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

func TestAdapterNamesARequestThatTheHostDoesNot(t *testing.T) {
	var seen []string
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = append(seen, r.Header.Get("X-Request-Id")) })
	for i := range 2 {
		answer := invoke(t, h, newEvent(func(e *events.APIGatewayV2HTTPRequest) {
			e.RequestContext.RequestID = ""
			e.Headers = map[string]string{"x-request-id": "forged"}
		}))
		require.Regexp(t, `^[0-9a-f]{32}$`, seen[i])
		require.Equal(t, seen[i], answer.Headers["X-Request-Id"])
	}
	require.NotEqual(t, seen[0], seen[1])
}

func TestAdapterTellsHeadTheLengthOfGet(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"a body for both": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fourteen bytes") },
		"a length that was said": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "14")
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(http.StatusOK)
			if r.Method == http.MethodGet {
				_, _ = io.WriteString(w, "fourteen bytes")
			}
		},
	} {
		get := invoke(t, h, newEvent(nil))
		head := invoke(t, h, newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.HTTP.Method = http.MethodHead }))
		require.Equal(t, "14", get.Headers["Content-Length"], name)
		require.Equal(t, get.Headers, head.Headers, name)
		require.Equal(t, "fourteen bytes", get.Body, name)
		require.Empty(t, head.Body, name)
	}
}

// API Gateway begins the path with the stage, unless that is the default one.
func TestAdapterTakesTheStageFromThePath(t *testing.T) {
	for _, tt := range []struct{ stage, raw, path string }{
		{"$default", "/v1/scores", "/v1/scores"},
		{"", "/v1/scores", "/v1/scores"},
		{"prod", "/prod/v1/scores", "/v1/scores"},
		{"prod", "/prod/prod/v1", "/prod/v1"},
		{"prod", "/prod", "/"},
		{"prod", "/prod/", "/"},
		{"prod", "/production/v1", "/production/v1"},
		{"prod", "/v1/prod", "/v1/prod"},
		{"v1", "/v1/v1/scores", "/v1/scores"},
	} {
		var got *http.Request
		invoke(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }), newEvent(func(e *events.APIGatewayV2HTTPRequest) {
			e.RawPath, e.RequestContext.Stage = tt.raw, tt.stage
		}))
		require.Equal(t, tt.path, got.URL.Path, tt)
		require.Equal(t, tt.path, got.RequestURI, tt)
	}
}

// Names of headers are the same in any case, and an event has no order: which of
// two would count is chance.
func TestAdapterRefusesAHeaderThatIsThereTwice(t *testing.T) {
	unreached := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the handler was reached") })
	for _, headers := range []map[string]string{
		{"authorization": "Bearer a", "Authorization": "Bearer b"},
		{"framedle-signature": "x", "FRAMEDLE-SIGNATURE": "x"},
		{"host": "a", "Host": "b", "x": "y"},
	} {
		requireProblem(t, invoke(t, unreached, newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.Headers = headers })), http.StatusBadRequest)
	}
}

func TestAdapterOutlivesAbsurdRequests(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path == "" || r.URL.Path[0] != '/' {
			t.Errorf("path %.100q, body %v", r.URL.Path, err)
		}
		mux := http.NewServeMux()
		mux.HandleFunc("GET /v1/{a}", func(http.ResponseWriter, *http.Request) {})
		mux.ServeHTTP(w, r)
		_, _ = w.Write(body)
	})
	binary := string([]byte{0, 0xff, 0xfe, '\n', 0x80})
	for _, path := range []string{
		"", "/", "//", "///", "/../..", "/%", "/%2", "/%2e%2e/%2f", "/%00", "/\x00", "/\r\nHost: evil", "http://evil.example/", "//evil.example", "*", "?", "#", "\\", "/\u202e",
		"/" + strings.Repeat("a", 1<<20), strings.Repeat("/a", 1<<16), strings.Repeat("%2F", 1<<14), "/" + binary,
	} {
		for _, body := range []string{"", binary, strings.Repeat("x", 1<<20)} {
			for _, method := range []string{"GET", "POST", "OPTIONS", "get", "G T", "\x00", strings.Repeat("M", 1<<12)} {
				event := newEvent(func(e *events.APIGatewayV2HTTPRequest) {
					e.RawPath, e.RawQueryString, e.RequestContext.HTTP.Method = path, path, method
					e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte(body)), true
					e.Headers = map[string]string{"host": path, "a\nb": binary, "": "x", "content-length": "-1", "x-forwarded-for": path}
					e.Cookies = []string{binary, path}
					e.RequestContext.HTTP.SourceIP, e.RequestContext.HTTP.Protocol = binary, "HTTP/99999"
				})
				out, err := host.Adapter(h, io.Discard).Invoke(t.Context(), event)
				require.NoError(t, err)
				require.NotContains(t, string(out), `"statusCode":500`, "%.40q %.40q", method, path)
			}
		}
	}
}
