package template_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/template"
)

// A request reaches the function of its route; without a route it reaches the function with
// $default, and has no pattern.
func TestAGatewaySendsRequestsWhereTheirRoutesAre(t *testing.T) {
	declared := &template.Template{Functions: []template.Function{
		{Name: "a", Routes: []template.Route{{Method: "POST", Path: "/v1/a"}, {Method: "GET", Path: "/v1/a/{id}"}}},
		{Name: "b", Routes: []template.Route{{Method: "ANY", Path: "$default"}}},
		{Name: "c", Routes: []template.Route{{Method: "GET", Path: "/v1/c"}}},
	}}
	asked := ""
	is := func(name string) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = name + " " + r.Pattern })
	}
	gateway := declared.Gateway(map[string]http.Handler{"a": is("a"), "b": is("b")})
	for request, want := range map[[2]string]string{
		{"POST", "/v1/a"}: "a POST /v1/a", {"GET", "/v1/a/1"}: "a GET /v1/a/{id}",
		{"GET", "/v1/a"}: "b ", {"GET", "/v1/c"}: "b ", {"GET", "/v1//a/1"}: "b ", {"GET", "/v1/a/1/"}: "b ", {"GET", "/"}: "b ",
	} {
		gateway.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), request[0], request[1], nil))
		require.Equal(t, want, asked, "%v", request)
	}
	none := httptest.NewRecorder()
	declared.Gateway(nil).ServeHTTP(none, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/a/1", nil))
	require.Equal(t, http.StatusNotFound, none.Code)
}
