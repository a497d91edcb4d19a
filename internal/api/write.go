package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/budget"
)

// closedCache is how long caches may keep a page of a closed period: long, but
// a removal or an import still shows the same hour.
const closedCache = time.Hour

// cachePage says how long others may keep a page, so that with the time it has
// been in this process's memory, and with the time a cache may hand it out
// while it asks again, it is never older than the game allows.
func (a *API) cachePage(page board.Page) string {
	oldest := a.Store.Frugal(page.Board).CacheFor(a.Game.Cache)
	if page.Closed {
		oldest = closedCache
	}
	while := min(a.Game.Refresh, oldest/2)
	age := min(max(a.Now().Sub(page.UpdatedAt), 0), oldest-while).Truncate(time.Second)
	return fmt.Sprintf("public, max-age=0, s-maxage=%d, stale-while-revalidate=%d",
		int64((oldest-while-age)/time.Second), int64(while/time.Second))
}

// degraded names what the budget has taken from an answer.
const degraded = "Framedle-Degraded"

// tellDegraded says which measures bear on an answer; nothing where none does.
func tellDegraded(w http.ResponseWriter, m budget.Measures) {
	if m != (budget.Measures{}) {
		w.Header().Set(degraded, m.String())
	}
}

func writeJSON(w http.ResponseWriter, r *http.Request, status int, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	writeBody(w, r, status, cache, body)
	return nil
}

func writeBody(w http.ResponseWriter, r *http.Request, status int, cache string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", cache)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// writePublic writes an answer that caches and browsers may revalidate.
func writePublic(w http.ResponseWriter, r *http.Request, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	tag := entityTag(body)
	w.Header().Set("ETag", tag)
	if strings.HasPrefix(cache, "private") {
		w.Header().Set("Vary", "Authorization")
	}
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.Header().Set("Cache-Control", cache)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	writeBody(w, r, http.StatusOK, cache, body)
	return nil
}

// entityTag is a weak tag: it stands for the standings, whatever the moment
// they were read. A page's moment comes before anything a player may choose,
// and inside a JSON string the quotes of the name could not stand like this.
func entityTag(body []byte) string {
	h := sha256.New()
	if before, after, ok := bytes.Cut(body, []byte(`"updated_at":"`)); ok {
		h.Write(before)
		_, body, _ = bytes.Cut(after, []byte(`"`))
	}
	h.Write(body)
	return `W/"` + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12]) + `"`
}

// matches compares entity tags weakly (RFC 9110, section 13.1.2).
func matches(headers []string, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for _, header := range headers {
		for candidate := range strings.SplitSeq(header, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
				return true
			}
		}
	}
	return false
}

// documentCache is how long others may keep the API's document without asking.
const documentCache = "public, max-age=300"

// getOpenAPI serves the description of this API: GET /openapi.yaml.
func (a *API) getOpenAPI(w http.ResponseWriter, r *http.Request) error {
	header := w.Header()
	header.Set("Cache-Control", documentCache)
	header.Set("ETag", a.documentTag)
	if matches(r.Header.Values("If-None-Match"), a.documentTag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/yaml")
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.OpenAPI)
	}
	return nil
}
