package apiclient_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/apiclient"
	"github.com/framedle/leaderboards/internal/auth"
)

var key = strings.Repeat("k", 32)

func ExampleClient_Post() {
	product := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(r.Method, r.URL.Path, string(body), r.Header.Get("Framedle-Signature")[:12])
		w.WriteHeader(http.StatusCreated)
	}))
	defer product.Close()
	client, err := apiclient.New(apiclient.Config{
		URL: product.URL, SigningKey: key, Now: func() time.Time { return time.Unix(1_790_000_000, 0) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	answer, err := client.Post(context.Background(), "/v1/scores", []byte(`{"mode":"daily_frame","player":"user_a","score":800}`), nil)
	fmt.Println(answer.Status, err)
	// Output:
	// POST /v1/scores {"mode":"daily_frame","player":"user_a","score":800} t=1790000000
	// 201 <nil>
}

// serve starts a product made of one handler and a client of it.
func serve(t *testing.T, c apiclient.Config, handler http.HandlerFunc) *apiclient.Client {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c.URL = server.URL + c.URL
	client, err := apiclient.New(c)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func TestEveryBodyIsSignedAndTheOperatorNamed(t *testing.T) {
	signatures, err := auth.NewSignatures([]string{key}, time.Now)
	require.NoError(t, err)
	var seen *http.Request
	var seenBody []byte
	client := serve(t, apiclient.Config{URL: "/stage/", SigningKey: key, OpsToken: "ops"}, func(_ http.ResponseWriter, r *http.Request) {
		seen = r
		seenBody, _ = io.ReadAll(r.Body)
	})
	_, err = client.Post(t.Context(), "/v1/scores/batch", []byte(`{"scores":[]}`), http.Header{"Idempotency-Key": {`"a"`}})
	require.NoError(t, err)
	require.Equal(t, "/stage/v1/scores/batch", seen.URL.Path)
	server, err := signatures.Verify(seen.Header.Get("Framedle-Signature"), auth.Request{Method: "POST", Path: "/v1/scores/batch", Body: seenBody})
	require.NoError(t, err)
	require.True(t, server.Bound, "it speaks for method and path, from /v1 on")
	require.Equal(t, "Bearer ops", seen.Header.Get("Authorization"))
	require.Equal(t, `"a"`, seen.Header.Get("Idempotency-Key"))

	_, err = client.Get(t.Context(), "/v1/leaderboards/daily_frame", "limit=1")
	require.NoError(t, err)
	require.Equal(t, "limit=1", seen.URL.RawQuery)
	require.Empty(t, seen.Header.Get("Framedle-Signature"))
}

func TestAddressesThatWouldLeakSecretsAreRefused(t *testing.T) {
	for address, says := range map[string]string{
		"":                       "is not a URL",
		"127.0.0.1:8080":         "is not a URL",
		"ftp://127.0.0.1":        "is not a URL",
		"http://api.example.com": "use https",
		"http://10.0.0.1:8080":   "use https",
	} {
		_, err := apiclient.New(apiclient.Config{URL: address})
		require.ErrorContains(t, err, says, address)
	}
	for _, address := range []string{"https://api.example.com", "http://localhost:8080/", "http://[::1]:8080", "http://127.0.0.1:8080"} {
		_, err := apiclient.New(apiclient.Config{URL: address})
		require.NoError(t, err, address)
	}
}

func TestARedirectIsAnAnswerAndTakesNoSecretsAlong(t *testing.T) {
	calls := 0
	client := serve(t, apiclient.Config{OpsToken: "ops"}, func(w http.ResponseWriter, r *http.Request) {
		calls++
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	answer, err := client.Get(t.Context(), "/v1/x", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusTemporaryRedirect, answer.Status)
	require.Equal(t, 1, calls)
}

func TestAnAnswerThatIsCutOffIsAnError(t *testing.T) {
	client := serve(t, apiclient.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
	})
	_, err := client.Get(t.Context(), "/v1/x", "")
	require.Error(t, err)
}

func TestAnswersWithoutALengthAreReadWhole(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	client := serve(t, apiclient.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, long)
	})
	answer, err := client.Get(t.Context(), "/v1/x", "")
	require.NoError(t, err)
	require.Equal(t, long, string(answer.Body))
}

func TestProblemsAreReadFromAnyGateway(t *testing.T) {
	problem := http.Header{"Content-Type": {"application/problem+json; charset=utf-8"}}
	for name, test := range map[string]struct {
		answer apiclient.Answer
		want   string
	}{
		"the product's own":     {apiclient.Answer{Status: 422, Header: problem, Body: []byte(`{"title":"The date is not open","status":422,"detail":"the date is closed"}`)}, "status 422: The date is not open: the date is closed"},
		"a status that differs": {apiclient.Answer{Status: 502, Header: problem, Body: []byte(`{"title":"T","status":200}`)}, "status 502: T"},
		"broken JSON":           {apiclient.Answer{Status: 500, Header: problem, Body: []byte(`{"title"`)}, `status 500: Internal Server Error: {"title"`},
		"a page of HTML":        {apiclient.Answer{Status: 502, Body: []byte("<html>\n <b>bad</b>\n" + strings.Repeat(".", 1000))}, "status 502: Bad Gateway: <html> <b>bad</b> " + strings.Repeat(".", 181)},
		"nothing":               {apiclient.Answer{Status: 599}, "status 599"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, test.answer.Problem().String())
		})
	}
}

func TestRetryAfterIsReadInSeconds(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 0, "3": 3 * time.Second, "-3": 0, "Wed, 21 Oct 2026 07:28:00 GMT": 0} {
		answer := apiclient.Answer{Header: http.Header{"Retry-After": {text}}}
		require.Equal(t, want, answer.RetryAfter(), text)
	}
}

func TestALocalProductIsAskedAndMoved(t *testing.T) {
	var clock string
	client := serve(t, apiclient.Config{}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.Path {
		case "GET /_local/secrets":
			_, _ = io.WriteString(w, `{"signing_key":"k","ops_token":"o","redis_rest_url":"u"}`)
		case "GET /_local/usage":
			_, _ = io.WriteString(w, `{"commands":5,"round_trips":2,"by_function":{"submit":{"commands":4,"round_trips":1}}}`)
		case "PUT /_local/clock":
			clock = string(body)
		}
	})
	secrets, err := client.LocalSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, apiclient.LocalSecrets{SigningKey: "k", OpsToken: "o", RedisURL: "u"}, secrets)
	usage, err := client.LocalUsage(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4, usage.ByFunction["submit"].Commands)
	require.NoError(t, client.SetLocalClock(t.Context(), time.Date(2022, 2, 2, 1, 2, 3, 4000, time.UTC)))
	require.JSONEq(t, `{"now":"2022-02-02T01:02:03.000004Z"}`, clock)
	require.NoError(t, client.SetLocalClock(t.Context(), time.Time{}))
	require.JSONEq(t, `{"now":null}`, clock)
}

func TestAProductThatIsNotLocalSaysSo(t *testing.T) {
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		says    string
	}{
		"no such route": {http.NotFound, "only a product started by cmd/local"},
		"refused":       {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no\n", http.StatusForbidden) }, "status 403, no"},
		"another page":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "not what a local product gives"},
		"no secrets":    {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }, "gives no signing_key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serve(t, apiclient.Config{}, test.handler).LocalSecrets(t.Context())
			require.ErrorContains(t, err, test.says)
		})
	}
}
