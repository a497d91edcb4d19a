package template

import (
	"net/http"
	"path"
)

// Gateway sends each request to the function of its route, as a deployment's HTTP API does: it
// cleans no path, and a request without a route goes to the function with $default. Functions
// that are not in the map have no routes.
func (t *Template) Gateway(functions map[string]http.Handler) http.Handler {
	routes, stray := http.NewServeMux(), http.NotFoundHandler()
	for _, f := range t.Functions {
		h := functions[f.Name]
		if h == nil {
			continue
		}
		for _, route := range f.Routes {
			if route.Path == "$default" {
				stray = h
				continue
			}
			routes.Handle(route.Pattern(), h)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) == r.URL.Path { // ServeMux would redirect others
			if _, pattern := routes.Handler(r); pattern != "" {
				routes.ServeHTTP(w, r)
				return
			}
		}
		stray.ServeHTTP(w, r)
	})
}
