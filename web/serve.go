package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

// Policy is the Content-Security-Policy of the pages. It allows their own scripts, the API at
// their own address, and pictures of players over https, and nothing else. No style needs
// permission, because the pages construct theirs, and no text can become markup or script.
// docs/build/web.md and template.yaml have the same policy.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// file is a file of the pages, as it is sent.
type file struct {
	name    string
	content []byte
	tag     string
}

// load reads all files by their paths. With a config it is the content of config.js.
func load(config string) (map[string]file, error) {
	all := map[string]file{}
	built := Files()
	err := fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(built, name)
		if name == "config.js" && config != "" {
			content = []byte(config)
		}
		digest := sha256.Sum256(content)
		f := file{name, content, `"` + hex.EncodeToString(digest[:8]) + `"`}
		all["/"+name] = f
		if folder, is := strings.CutSuffix(name, "index.html"); is {
			all["/"+folder] = f
		}
		return err
	})
	return all, err
}

// Serve serves the pages, with the headers that guard them, in addition to next. A config that
// is not empty replaces config.js.
func Serve(config string, next http.Handler) (http.Handler, error) {
	files, err := load(config)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, is := files[r.URL.Path]
		if _, folder := files[r.URL.Path+"/"]; folder && !is {
			to := *r.URL
			to.Path += "/" // relative links resolve against the folder
			http.Redirect(w, r, to.RequestURI(), http.StatusMovedPermanently)
			return
		}
		if !is || r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", f.tag)
		http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(f.content))
	}), nil
}
