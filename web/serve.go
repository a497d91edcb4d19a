package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
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
	gzipped func() []byte // made when it is first asked for
}

// newFile is a file with its tag.
func newFile(name string, content []byte) file {
	digest := sha256.Sum256(content)
	return file{name, content, hex.EncodeToString(digest[:8]), sync.OnceValue(func() []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(content) // a buffer takes everything
		_ = w.Close()
		return b.Bytes()
	})}
}

// sent is the content for a request and its tag. Compressed content has a tag of its own.
func (f file) sent(r *http.Request) (content []byte, encoding, tag string) {
	for _, listed := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(listed) == "gzip" { // as browsers name it, without a weight
			return f.gzipped(), "gzip", `"` + f.tag + `-gzip"`
		}
	}
	return f.content, "", `"` + f.tag + `"`
}

// load reads the files of pages by their paths. With a config it is the content of config.js.
func load(config string, pages []string) (map[string]file, error) {
	all := map[string]file{}
	built := Files()
	err := fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if part := partOf(name); part != "" && len(pages) > 0 && !slices.Contains(pages, part) {
			return nil
		}
		content, err := fs.ReadFile(built, name)
		if name == "config.js" && config != "" {
			content = []byte(config)
		}
		f := newFile(name, content)
		all["/"+name] = f
		if folder, is := strings.CutSuffix(name, "index.html"); is {
			all["/"+folder] = f
		}
		return err
	})
	return all, err
}

// partOf is the page that a file belongs to; empty for what pages and other sites share, such as
// the widget's script.
func partOf(name string) string {
	switch first, _, _ := strings.Cut(name, "/"); first {
	case "index.html", "page.js", "shell.css":
		return "page"
	case "gallery":
		return "widget"
	case "play", "ops":
		return first
	}
	return ""
}

// Serve serves the pages, with the headers that guard them, in addition to next. A config that
// is not empty replaces config.js. Of the pages page, widget, play and ops, those are served that
// are named; all, if none is.
func Serve(config string, next http.Handler, pages ...string) (http.Handler, error) {
	files, err := load(config, pages)
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
		content, encoding, tag := f.sent(r)
		h.Set("ETag", tag)
		h.Add("Vary", "Accept-Encoding")
		if encoding != "" {
			h.Set("Content-Encoding", encoding)
		}
		http.ServeContent(w, r, f.name, time.Time{}, bytes.NewReader(content))
	}), nil
}
