package app_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/product/app"
)

// ask sends a request as a browser does to functions that allow some origins. The
// one path with routes is /v1/scores, and takes POST.
func ask(origins []string, method, path string, header map[string]string) *httptest.ResponseRecorder {
	methods := func(r *http.Request) []string {
		if r.URL.Path == "/v1/scores" {
			return []string{"POST", "DELETE"}
		}
		return nil
	}
	h := app.WithCORS(origins, methods, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Vary", "Authorization")
		w.WriteHeader(http.StatusTeapot)
	}))
	r := httptest.NewRequest(method, path, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestOnlyAllowedOriginsMayRead(t *testing.T) {
	const ours, theirs = "https://game.example", "https://other.example"
	for name, test := range map[string]struct {
		origins         []string
		origin, allowed string
	}{
		"an allowed one":          {[]string{"https://a.example", ours}, ours, ours},
		"another one":             {[]string{ours}, theirs, ""},
		"one that begins alike":   {[]string{ours}, ours + ".evil", ""},
		"another scheme":          {[]string{ours}, "http://game.example", ""},
		"null":                    {[]string{ours}, "null", ""},
		"no origin":               {[]string{ours}, "", ""},
		"any":                     {[]string{"*"}, theirs, "*"},
		"any, for a cache to ask": {[]string{"*"}, "", "*"},
		"nobody":                  {nil, ours, ""},
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			header := map[string]string{"Access-Control-Request-Method": "POST"}
			if test.origin != "" {
				header["Origin"] = test.origin
			}
			w := ask(test.origins, method, "/v1/scores", header)
			got := w.Header()
			require.Equal(t, test.allowed, got.Get("Access-Control-Allow-Origin"), "%s: %s", name, method)
			require.Equal(t, len(test.origins) > 0 && test.origins[0] != "*", strings.Contains(strings.Join(got.Values("Vary"), ","), "Origin"),
				"%s: caches keep origins apart, whoever asked first", name)
			if test.allowed == "" {
				for header := range got {
					require.NotContains(t, header, "Access-Control", name)
				}
				continue
			}
			for _, header := range []string{"Date", "ETag", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed", "X-Request-Id"} {
				require.Contains(t, strings.Split(got.Get("Access-Control-Expose-Headers"), ", "), header)
			}
		}
	}
}

func TestAPreflightNamesTheMethodsOfItsPath(t *testing.T) {
	asks := map[string]string{"Origin": "https://game.example", "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}
	w := ask([]string{"https://game.example"}, "OPTIONS", "/v1/scores", asks)
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Empty(t, w.Body.String())
	require.Equal(t, "POST, DELETE", w.Header().Get("Allow"))
	require.Equal(t, "POST, DELETE", w.Header().Get("Access-Control-Allow-Methods"))
	require.Equal(t, "7200", w.Header().Get("Access-Control-Max-Age"))
	for _, header := range []string{"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"} {
		require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), header)
	}
	require.Equal(t, http.StatusTeapot, ask([]string{"*"}, "OPTIONS", "/v1/nothing", asks).Code, "the handler says that there is no such path")
}

func TestOptionsIsAnsweredWithoutOriginsToo(t *testing.T) {
	w := ask(nil, "OPTIONS", "/v1/scores", map[string]string{"Origin": "https://game.example", "Access-Control-Request-Method": "POST"})
	require.Equal(t, http.StatusNoContent, w.Code, "a gateway that answers browsers itself passes it on")
	require.Equal(t, "POST, DELETE", w.Header().Get("Allow"))
}

func TestWithoutOriginsNothingIsAdded(t *testing.T) {
	w := ask(nil, "GET", "/v1/scores", map[string]string{"Origin": "https://game.example"})
	require.Equal(t, http.Header{"Vary": {"Authorization"}}, w.Header())
}

// Browsers are told the same by the gateway and by a function.
func TestTheGatewayTellsPagesTheSame(t *testing.T) {
	function := ask([]string{"*"}, "OPTIONS", "/v1/scores", map[string]string{"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}).Header()
	for ofGateway, ofFunction := range map[string]string{"AllowHeaders": "Access-Control-Allow-Headers", "ExposeHeaders": "Access-Control-Expose-Headers"} {
		found := regexp.MustCompile(ofGateway + `: \[(.*)\]`).FindSubmatch(leaderboards.Template)
		require.Len(t, found, 2, ofGateway)
		require.Equal(t, function.Get(ofFunction), string(found[1]), ofGateway)
	}
	found := regexp.MustCompile(`MaxAge: (\d+)`).FindSubmatch(leaderboards.Template)
	require.Equal(t, function.Get("Access-Control-Max-Age"), string(found[1]))
}

// Pages may send every header that the API's document has, except those that only servers can
// make: signatures of the game's and of Clerk's.
func TestPagesMaySendEveryDocumentedHeader(t *testing.T) {
	allowed := strings.Split(ask([]string{"*"}, "OPTIONS", "/v1/scores", map[string]string{"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}).Header().Get("Access-Control-Allow-Headers"), ", ")
	text, err := os.ReadFile("../../../api/openapi.yaml")
	require.NoError(t, err)
	var document any
	require.NoError(t, yaml.Unmarshal(text, &document))
	documented := map[string]bool{}
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case map[string]any:
			if name, named := node["name"].(string); named && node["in"] == "header" {
				documented[name] = true
			}
			for _, child := range node {
				walk(child)
			}
		case []any:
			for _, child := range node {
				walk(child)
			}
		}
	}
	walk(document)
	require.Contains(t, documented, "If-None-Match")
	for _, signature := range []string{"Framedle-Signature", "svix-id", "svix-timestamp", "svix-signature"} {
		require.Contains(t, documented, signature)
		delete(documented, signature)
	}
	for header := range documented {
		require.Contains(t, allowed, header)
	}
}
