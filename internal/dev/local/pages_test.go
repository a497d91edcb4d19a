package local_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/web"
)

// The pages are there beside the API, which answers everything else.
func TestPagesAreServedBesideTheAPI(t *testing.T) {
	_, p := start(t)
	for path, want := range map[string]int{"/": 200, "/page.js": 200, "/ops/": 200, "/ops/ops.js": 200, "/play/typing/": 200, "/play/typing": 200, "/play": 404, "/nothing": 404, "/v1/game": 200, "/embed.go": 404} {
		res, err := http.Get(p.URL + path)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.StatusCode, path)
	}
}

// A browser asks again and is told that nothing has changed; nobody may frame the
// pages, and nothing runs in them but their own scripts.
func TestPagesAreGuarded(t *testing.T) {
	_, p := start(t)
	for _, path := range []string{"/", "/page.js", "/leaderboards.js", "/config.js", "/ops/", "/play/typing/"} {
		res, err := http.Get(p.URL + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		for name, want := range map[string]string{
			"Content-Security-Policy": web.Policy, "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "Cache-Control": "no-cache",
		} {
			require.Equal(t, want, res.Header.Get(name), "%s of %s", name, path)
		}
		again, err := http.NewRequest(http.MethodGet, p.URL+path, nil)
		require.NoError(t, err)
		again.Header.Set("If-None-Match", res.Header.Get("ETag"))
		res, err = http.DefaultClient.Do(again)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusNotModified, res.StatusCode, path)
	}
	require.NotContains(t, web.Policy, "unsafe")
	page, err := os.ReadFile("../../../docs/build/web.md")
	require.NoError(t, err)
	require.Contains(t, string(page), web.Policy, "docs/build/web.md has the policy as it is sent")
}

// Scripts and pages are sent compressed to whoever takes that, with tags of their own.
func TestPagesAreCompressed(t *testing.T) {
	_, p := start(t)
	get := func(path, accepted, tag string) (*http.Response, []byte) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set("Accept-Encoding", accepted)
		r.Header.Set("If-None-Match", tag)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res, body
	}
	for path, kind := range map[string]string{"/": "text/html", "/page.js": "text/javascript", "/ops/ops.css": "text/css", "/icon.svg": "image/svg+xml"} {
		plain, whole := get(path, "identity", "")
		require.Empty(t, plain.Header.Get("Content-Encoding"))
		sent, body := get(path, "br, gzip, deflate", "")
		require.Equal(t, "gzip", sent.Header.Get("Content-Encoding"), path)
		require.Contains(t, sent.Header.Get("Vary"), "Accept-Encoding")
		require.Contains(t, sent.Header.Get("Content-Type"), kind)
		unpacked, err := gzip.NewReader(bytes.NewReader(body))
		require.NoError(t, err)
		content, err := io.ReadAll(unpacked)
		require.NoError(t, err)
		require.Equal(t, whole, content, path)
		require.NotEqual(t, plain.Header.Get("ETag"), sent.Header.Get("ETag"))
		again, none := get(path, "gzip", sent.Header.Get("ETag"))
		require.Equal(t, http.StatusNotModified, again.StatusCode)
		require.Empty(t, none)
	}
}

// What a page says of the local product is said by the local product alone.
func TestOnlyTheLocalProductSaysItIsLocal(t *testing.T) {
	_, p := start(t)
	res, err := http.Get(p.URL + "/config.js")
	require.NoError(t, err)
	config, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Contains(t, string(config), "local: true")
	built, err := fs.ReadFile(web.Files(), "config.js")
	require.NoError(t, err)
	require.NotContains(t, string(built), "local")
}
