package local

import (
	"io/fs"
	"net/http"
	"strings"

	"github.com/framedle/leaderboards/web"
)

// isPage tells the pages and their files from the product's own routes.
func isPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	name := strings.Trim(r.URL.Path, "/")
	if name == "" {
		return true
	}
	_, err := fs.Stat(web.Files(), name)
	return err == nil
}

// withPages serves the pages beside the product, as a host of static files does
// when deployed.
func withPages(product http.Handler) http.Handler {
	pages := http.FileServerFS(web.Files())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isPage(r) {
			product.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		pages.ServeHTTP(w, r)
	})
}
