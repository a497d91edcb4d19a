package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/trace"
)

// degraded names what the budget has taken from an answer.
const degraded = "Framedle-Degraded"

// tellDegraded says which measures bear on an answer; nothing where none does.
func tellDegraded(w http.ResponseWriter, m budget.Measures) {
	if m != (budget.Measures{}) {
		w.Header().Set(degraded, m.String())
	}
}

func writeJSON(w http.ResponseWriter, r *request, status int, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	writeBody(w, r, status, cache, body)
	return nil
}

func writeBody(w http.ResponseWriter, r *request, status int, cache string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", cache)
	send(w, r.Request, status, body)
}

// send ends an answer. HEAD is told the same length as GET.
func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may have gone
	}
}

// writePublic writes an answer that caches and browsers may revalidate. Its tag
// stands for every byte of it.
func writePublic(w http.ResponseWriter, r *request, cache string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	writeTagged(w, r, cache, body, entityTag(body))
	return nil
}

// page is an answer of rows, with the moment at which they were read.
type page interface {
	appendTo(b []byte) (body []byte, updated [2]int)
	length() int // of about as many bytes
}

// writePage is writePublic for a page, whose tag stands for the standings,
// whatever the moment they were read.
func writePage(w http.ResponseWriter, r *request, cache string, p page) {
	body, tag := encodePage(p)
	writeTagged(w, r, cache, body, tag)
}

// encodePage is a page's body and its tag.
func encodePage(p page) (body []byte, tag string) {
	body, updated := p.appendTo(make([]byte, 0, p.length()))
	return body, entityTag(body[:updated[0]], []byte(`""`), body[updated[1]:])
}

// writeTagged writes a body under its entity tag, or that the caller has it.
func writeTagged(w http.ResponseWriter, r *request, cache string, body []byte, tag string) {
	w.Header().Set("ETag", tag)
	if strings.HasPrefix(cache, "private") {
		w.Header().Add("Vary", "Authorization")
	}
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.Header().Set("Cache-Control", cache)
		w.WriteHeader(http.StatusNotModified)
		r.unchanged = true
		return
	}
	writeBody(w, r, http.StatusOK, cache, body)
}

// entityTag is a weak tag: bodies that are written alike say the same.
func entityTag(body ...[]byte) string {
	h := sha256.New()
	for _, part := range body {
		h.Write(part)
	}
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

// writeProblem answers with a problem and logs those that are ours to repair.
func (k kernel) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := k.explain(r, err)
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", `Bearer realm="leaderboards"`)
	}
	if p.Limit != nil {
		showLimit(header, *p.Limit)
	}
	if p.Wait > 0 {
		header.Set("Retry-After", strconv.FormatInt(int64((p.Wait+time.Second-1)/time.Second), 10))
	}
	body, _ := json.Marshal(p) // strings and numbers always marshal
	send(w, r, p.Status, body)
}

// explain is the problem that an error is, for one request. Those that are ours to
// repair are logged.
func (k kernel) explain(r *http.Request, err error) *problem.Problem {
	p := *problem.Of(err)
	p.Instance = r.Header.Get(requestID)
	if p.Status >= http.StatusInternalServerError && !p.Meant() {
		k.log.LogAttrs(r.Context(), slog.LevelError, "request failed", append([]slog.Attr{
			slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", p.Status), slog.String("request_id", p.Instance), slog.String("error", err.Error()),
		}, append(problem.RefusalAttrs(err, k.now()), traceAttrs(r)...)...)...)
	}
	return &p
}

// traceAttrs name the trace that a request belongs to, if it belongs to one.
func traceAttrs(r *http.Request) []slog.Attr {
	if id, _ := trace.Of(r.Header); id != "" {
		return []slog.Attr{slog.String("trace_id", id)}
	}
	return nil
}

// RefuseOrigin answers a request that has come past what stands in front of the
// functions.
func RefuseOrigin(w http.ResponseWriter, r *http.Request) {
	kernel{}.writeProblem(w, r, problem.Forbidden("this address answers only what comes through the network in front of it; use the public address"))
}
