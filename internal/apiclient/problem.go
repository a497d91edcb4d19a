package apiclient

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Problem is an RFC 9457 answer, or one item's in a batch.
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// Problem reads the answer as a problem. A gateway's own answer may be none;
// then the status and the beginning of the body stand for it.
func (a Answer) Problem() Problem {
	p := Problem{Status: a.Status}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	if media != "application/problem+json" || json.Unmarshal(a.Body, &p) != nil {
		p.Detail = strings.Join(strings.Fields(string(a.Body[:min(len(a.Body), 200)])), " ")
	}
	p.Status = a.Status
	if p.Title == "" {
		p.Title = http.StatusText(a.Status)
	}
	return p
}

// String is the problem in one line.
func (p Problem) String() string {
	text := "status " + strconv.Itoa(p.Status)
	for _, part := range [...]string{p.Title, p.Detail} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// RetryAfter is how long the answer asks to wait, in whole seconds; 0 where it
// says nothing. Dates are passed over: this product sends none.
func (a Answer) RetryAfter() time.Duration {
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
