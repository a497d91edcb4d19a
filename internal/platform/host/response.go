package host

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxAnswer is the largest answer of a buffered invocation, in bytes of JSON:
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const maxAnswer = 6*1024*1024 - 36

// answer is the response shape of payload format 2.0.
type answer struct {
	StatusCode      int               `json:"statusCode"`
	Headers         map[string]string `json:"headers,omitempty"`
	Cookies         []string          `json:"cookies,omitempty"`
	Body            string            `json:"body"`
	IsBase64Encoded bool              `json:"isBase64Encoded"`
}

// recorder keeps a response in memory, with the rules that net/http's own writer
// applies on a connection. It does not implement http.Flusher: a buffered
// invocation cannot flush.
type recorder struct {
	header http.Header
	sent   http.Header // header as it was when the status was written
	status int         // 0 until written
	body   bytes.Buffer
}

func newRecorder(r *http.Request) *recorder {
	rec := &recorder{header: make(http.Header, 8)}
	begin(rec.header, r)
	return rec
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("invalid status code %d", status))
	}
	if r.status != 0 || status < 200 {
		return
	}
	r.status = status
	r.sent = r.header.Clone()
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if !bodyAllowed(r.status) {
		return 0, http.ErrBodyNotAllowed
	}
	return r.body.Write(p)
}

// encode returns the answer to a request with the given method.
func (r *recorder) encode(method string) ([]byte, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	a := answer{StatusCode: r.status, Headers: make(map[string]string, len(r.sent)+2)}
	for name, values := range r.sent {
		if name == "Set-Cookie" {
			a.Cookies = values
			continue
		}
		// Format 2.0 has one value per name; a list is one value with commas.
		a.Headers[name] = oneLine(strings.Join(values, ", "))
	}
	r.describeBody(a.Headers)
	if method != http.MethodHead {
		a.setBody(r.body.Bytes())
	}
	return a.marshal()
}

// describeBody adds and removes the headers that net/http would on a connection.
func (r *recorder) describeBody(headers map[string]string) {
	if !bodyAllowed(r.status) {
		delete(headers, "Content-Length")
		if r.status == http.StatusNotModified {
			delete(headers, "Content-Type")
		}
		return
	}
	body := r.body.Bytes()
	if _, given := headers["Content-Type"]; !given && len(body) > 0 {
		headers["Content-Type"] = http.DetectContentType(body)
	}
	if _, given := headers["Content-Length"]; !given || len(body) > 0 {
		headers["Content-Length"] = strconv.Itoa(len(body))
	}
}

// setBody sets the body as text, or as base64 if JSON cannot carry its bytes.
func (a *answer) setBody(body []byte) {
	if utf8.Valid(body) {
		a.Body = string(body)
		return
	}
	a.Body, a.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
}

func (a *answer) marshal() ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(a.Body) + len(a.Body)/4 + 512)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// oneLine makes a header value safe: it cannot begin another header.
func oneLine(value string) string {
	if !strings.ContainsAny(value, "\r\n") {
		return value
	}
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(value)
}

func bodyAllowed(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}
