package host_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// samples returns the events that aws-lambda-go ships for its own tests, by file
// name.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/aws/aws-lambda-go").Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "events", "testdata", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out := make(map[string][]byte, len(files))
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		out[filepath.Base(f)] = data
	}
	return out
}

// newEvent is a request in payload format 2.0, changed as a test needs it.
func newEvent(change func(*events.APIGatewayV2HTTPRequest)) []byte {
	e := events.APIGatewayV2HTTPRequest{
		Version:  "2.0",
		RouteKey: "$default",
		RawPath:  "/",
		Headers:  map[string]string{"host": "api.example.com"},
	}
	e.RequestContext.RequestID = "gateway-id"
	e.RequestContext.HTTP.Method = http.MethodGet
	e.RequestContext.HTTP.Protocol = "HTTP/1.1"
	e.RequestContext.HTTP.SourceIP = "192.0.2.7"
	if change != nil {
		change(&e)
	}
	out, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return out
}

// invoke runs h on an event and decodes the answer as strictly as AWS documents it.
func invoke(t *testing.T, h http.Handler, event []byte) events.APIGatewayV2HTTPResponse {
	t.Helper()
	out, err := host.Adapter(h, io.Discard).Invoke(t.Context(), event)
	require.NoError(t, err)
	return decodeAnswer(t, out)
}

func decodeAnswer(t *testing.T, out []byte) events.APIGatewayV2HTTPResponse {
	t.Helper()
	var a events.APIGatewayV2HTTPResponse
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&a))
	return a
}

func requireProblem(t *testing.T, a events.APIGatewayV2HTTPResponse, status int) {
	t.Helper()
	require.Equal(t, status, a.StatusCode)
	require.Equal(t, "application/problem+json", a.Headers["Content-Type"])
	var p struct {
		Type, Title, Detail, Instance string
		Status                        int
	}
	require.NoError(t, json.Unmarshal([]byte(a.Body), &p))
	require.Equal(t, status, p.Status)
	require.Equal(t, http.StatusText(status), p.Title)
	require.NotEmpty(t, p.Type)
	require.NotEmpty(t, p.Detail)
	require.Equal(t, "gateway-id", p.Instance)
	require.Equal(t, "gateway-id", a.Headers["X-Request-Id"])
	require.Equal(t, "nosniff", a.Headers["X-Content-Type-Options"])
}

func TestAdapterHandsOnWhatTheSamplesSay(t *testing.T) {
	for name, data := range samples(t) {
		var want events.APIGatewayV2HTTPRequest
		if json.Unmarshal(data, &want) != nil || want.Version != "2.0" || want.RequestContext.HTTP.Method == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var got *http.Request
			var body []byte
			answer := invoke(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r
				body, _ = io.ReadAll(r.Body)
				w.WriteHeader(http.StatusNoContent)
			}), data)
			require.Equal(t, http.StatusNoContent, answer.StatusCode)
			require.Equal(t, want.RequestContext.HTTP.Method, got.Method)
			require.Equal(t, want.RawPath, got.URL.EscapedPath())
			require.Equal(t, want.RawQueryString, got.URL.RawQuery)
			require.Equal(t, want.RequestContext.HTTP.SourceIP+":0", got.RemoteAddr)
			require.Equal(t, want.RequestContext.RequestID, got.Header.Get("X-Request-Id"))
			require.Equal(t, strings.Join(want.Cookies, "; "), got.Header.Get("Cookie"))
			for name, value := range want.Headers {
				if !strings.EqualFold(name, "host") {
					require.Equal(t, value, got.Header.Get(name))
				}
			}
			if !want.IsBase64Encoded {
				require.Equal(t, want.Body, string(body))
			}
		})
	}
}

func TestAdapterRefusesAllOtherSamples(t *testing.T) {
	unreached := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the handler was reached") })
	refused := 0
	for name, data := range samples(t) {
		var e events.APIGatewayV2HTTPRequest
		if json.Unmarshal(data, &e) == nil && e.Version == "2.0" && e.RequestContext.HTTP.Method != "" {
			continue
		}
		_, err := host.Adapter(unreached, io.Discard).Invoke(t.Context(), data)
		var eventErr *host.EventError
		require.ErrorAs(t, err, &eventErr, name)
		refused++
	}
	require.Greater(t, refused, 50)
}

func TestAdapterRefusesWhatIsNoRequest(t *testing.T) {
	tests := []struct{ name, event, says string }{
		{"nothing", ``, "not a JSON object"},
		{"half of one", `{"version":"2.0"`, "not a JSON object"},
		{"null", `null`, "no requestContext"},
		{"a list", `[]`, "not a JSON object"},
		{"header that is a number", `{"version":"2.0","headers":{"a":1}}`, "not a JSON object"},
		{"no context", `{"version":"2.0","rawPath":"/"}`, "no requestContext"},
		{"context that is text", `{"version":"2.0","requestContext":"x"}`, "not a JSON object"},
		{"no version", `{"requestContext":{"http":{"method":"GET"}}}`, "version 2.0"},
		{"no method", `{"version":"2.0","requestContext":{"http":{}}}`, "method"},
		{"REST API", `{"httpMethod":"GET","path":"/","requestContext":{}}`, "format 1.0"},
		{"HTTP API in format 1.0", `{"version":"1.0","path":"/","requestContext":{}}`, "format 1.0"},
		{"secret in a broken event", `{"authorization":"hunter2"`, "not a JSON object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := host.Adapter(http.NotFoundHandler(), io.Discard).Invoke(t.Context(), []byte(tt.event))
			var eventErr *host.EventError
			require.ErrorAs(t, err, &eventErr)
			require.ErrorContains(t, err, tt.says)
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestAdapterKeepsThePathAsTheClientWroteIt(t *testing.T) {
	tests := []struct{ name, raw, escaped, path string }{
		{"plain", "/v1/players/user_a", "/v1/players/user_a", "/v1/players/user_a"},
		{"encoded slash", "/players/a%2Fb", "/players/a%2Fb", "/players/a/b"},
		{"encoded slash in lower case", "/players/a%2fb", "/players/a%2fb", "/players/a/b"},
		{"allowed punctuation", "/a:b@c.d-e_f~", "/a:b@c.d-e_f~", "/a:b@c.d-e_f~"},
		{"encoded by a Function URL", "/caf%C3%A9%20x", "/caf%C3%A9%20x", "/café x"},
		{"decoded by an HTTP API", "/café x", "/caf%C3%A9%20x", "/café x"},
		{"decoded question mark", "/a?b=c", "/a%3Fb=c", "/a?b=c"},
		{"decoded hash", "/a#b", "/a%23b", "/a#b"},
		{"lone per cent", "/100%", "/100%25", "/100%"},
		{"per cent before no digits", "/%zz", "/%25zz", "/%zz"},
		{"decoded quotes beside an encoded slash", `/"a"%2Fb`, "/%22a%22%2Fb", `/"a"/b`},
		{"newline", "/a\nb", "/a%0Ab", "/a\nb"},
		{"empty", "", "/", "/"},
		{"without a slash", "a", "/a", "/a"},
		{"two slashes", "//evil.example/a", "//evil.example/a", "//evil.example/a"},
		{"trailing slash", "/a/", "/a/", "/a/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got *http.Request
			invoke(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }),
				newEvent(func(e *events.APIGatewayV2HTTPRequest) {
					e.RawPath, e.RawQueryString = tt.raw, "q=%20&q=b+c&x"
				}))
			require.Equal(t, tt.escaped, got.URL.EscapedPath())
			require.Equal(t, tt.path, got.URL.Path)
			require.Equal(t, "q=%20&q=b+c&x", got.URL.RawQuery)
			require.Equal(t, "api.example.com", got.Host)
		})
	}
}

func TestAdapterFeedsServeMuxEncodedSegments(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /players/{player}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.PathValue("player"))
	})
	answer := invoke(t, mux, newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.RawPath = "/players/a%2Fb" }))
	require.Equal(t, "a/b", answer.Body)
}

func TestAdapterTrustsTheGatewayAndNotTheClient(t *testing.T) {
	var got *http.Request
	invoke(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }),
		newEvent(func(e *events.APIGatewayV2HTTPRequest) {
			e.Headers = map[string]string{"x-request-id": "forged", "x-forwarded-for": "203.0.113.9"}
			e.RequestContext.DomainName = "id.lambda-url.us-west-2.on.aws"
			e.RequestContext.HTTP.SourceIP = "2001:db8::1"
		}))
	require.Equal(t, []string{"gateway-id"}, got.Header.Values("X-Request-Id"))
	require.Equal(t, "[2001:db8::1]:0", got.RemoteAddr)
	require.Equal(t, "id.lambda-url.us-west-2.on.aws", got.Host)
}

func TestAdapterDecodesBodies(t *testing.T) {
	binary := []byte{0, 0xff, '\n', 0x80}
	tests := []struct {
		name   string
		body   string
		base64 bool
		want   []byte
	}{
		{"text", `{"score":1}`, false, []byte(`{"score":1}`)},
		{"unicode", "Ünïcode ☃", false, []byte("Ünïcode ☃")},
		{"base64", base64.StdEncoding.EncodeToString(binary), true, binary},
		{"none", "", false, []byte{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []byte
			var length int64
			invoke(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got, _ = io.ReadAll(r.Body)
				length = r.ContentLength
			}), newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.Body, e.IsBase64Encoded = tt.body, tt.base64 }))
			require.Equal(t, tt.want, got)
			require.EqualValues(t, len(tt.want), length)
		})
	}
}

func TestAdapterAnswersABadBase64BodyWith400(t *testing.T) {
	answer := invoke(t, http.NotFoundHandler(), newEvent(func(e *events.APIGatewayV2HTTPRequest) {
		e.Body, e.IsBase64Encoded = "not base64!", true
	}))
	requireProblem(t, answer, http.StatusBadRequest)
}

func TestAdapterAnswersAPanicWithoutInternals(t *testing.T) {
	var log bytes.Buffer
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Etag", `"half"`)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = io.WriteString(w, "half an answer")
		panic("secret of the handler")
	})
	out, err := host.Adapter(h, &log).Invoke(t.Context(), newEvent(nil))
	require.NoError(t, err)
	answer := decodeAnswer(t, out)
	requireProblem(t, answer, http.StatusInternalServerError)
	require.NotContains(t, string(out), "secret")
	require.NotContains(t, string(out), "half")
	require.NotContains(t, answer.Headers, "Etag")
	require.Equal(t, "*", answer.Headers["Access-Control-Allow-Origin"], "the page that asked may read the problem")

	require.Equal(t, 1, strings.Count(log.String(), "\n"))
	var line map[string]string
	require.NoError(t, json.Unmarshal(log.Bytes(), &line))
	require.Equal(t, "secret of the handler", line["error"])
	require.Equal(t, "gateway-id", line["request_id"])
	require.Contains(t, line["stack"], "TestAdapterAnswersAPanicWithoutInternals")
}

func TestAdapterStaysSilentOnAnAbort(t *testing.T) {
	var log bytes.Buffer
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	out, err := host.Adapter(h, &log).Invoke(t.Context(), newEvent(nil))
	require.NoError(t, err)
	requireProblem(t, decodeAnswer(t, out), http.StatusInternalServerError)
	require.Empty(t, log.String())
}

func TestAdapterRefusesToSendMoreThanLambdaTakes(t *testing.T) {
	for name, body := range map[string][]byte{
		"text":                          bytes.Repeat([]byte("x"), 6<<20),
		"binary that grows with base64": bytes.Repeat([]byte{0xff}, 5<<20),
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
			out, err := host.Adapter(h, &log).Invoke(t.Context(), newEvent(nil))
			require.NoError(t, err)
			requireProblem(t, decodeAnswer(t, out), http.StatusInternalServerError)
			require.Contains(t, log.String(), "answer in pages")
		})
	}
}

func TestAdapterPassesTheDeadlineOn(t *testing.T) {
	deadline := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), deadline)
	defer cancel()
	var got time.Time
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got, _ = r.Context().Deadline() })
	_, err := host.Adapter(h, io.Discard).Invoke(ctx, newEvent(nil))
	require.NoError(t, err)
	require.Equal(t, deadline, got)
}

func TestAdapterServesManyAtOnce(t *testing.T) {
	f := host.Adapter(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.URL.Path)
	}), io.Discard)
	var wg sync.WaitGroup
	failed := make(chan error, 64)
	for i := range 64 {
		wg.Go(func() {
			path := "/" + strings.Repeat("x", i)
			out, err := f.Invoke(context.Background(), newEvent(func(e *events.APIGatewayV2HTTPRequest) { e.RawPath = path }))
			if err == nil && !bytes.Contains(out, []byte(`"body":"`+path+`"`)) {
				err = errors.New("an answer went to the wrong request: " + string(out))
			}
			failed <- err
		})
	}
	wg.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
}
