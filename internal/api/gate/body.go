package gate

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/problem"
)

// How large a body may be.
const (
	maxBody  = 64 << 10
	maxBatch = 1 << 20
)

// BodyRule says how a route reads the body of a request, which is JSON.
type BodyRule struct {
	Most     int64  // bytes; 0: nothing is read
	Absent   string // the text that replaces an empty body
	typeless bool   // a body of length 0 needs no Content-Type
	Bare     bool   // the body has no fields: only {} is allowed
}

// The rules that most routes have.
var (
	NoBody        = BodyRule{}                                            // no body
	Required      = BodyRule{Most: maxBody}                               // a body is required
	RequiredBatch = BodyRule{Most: maxBatch}                              // a body of many items is required
	EmptyAllowed  = BodyRule{Most: maxBody, Absent: "{}"}                 // a body that may be empty
	Optional      = BodyRule{Most: maxBody, Absent: "{}", typeless: true} // a body that may be left out
	NoFields      = BodyRule{Most: maxBody, typeless: true, Bare: true}   // none, or an empty object
)

// read reads the whole body, in the bytes that were signed.
func (b BodyRule) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if b.Most == 0 || b.typeless && r.ContentLength == 0 {
		return nil, nil
	}
	sent, err := readBody(w, r, b.Most)
	if err != nil || !b.Bare || len(sent) == 0 {
		return sent, err
	}
	return nil, decode.Open(sent, "").Done()
}

// meant is the body, or the text that replaces an empty one.
func (b BodyRule) meant(sent []byte) []byte {
	if len(sent) == 0 && b.Absent != "" {
		return []byte(b.Absent)
	}
	return sent
}

// readBody reads a whole JSON body of at most limit bytes. A body without a type is taken for
// JSON: credentials are in headers that no form can send, so the type protects nobody.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if kind := r.Header.Get("Content-Type"); kind != "" && kind != "application/json" {
		media, with, err := mime.ParseMediaType(kind)
		if err != nil || media != "application/json" || with["charset"] != "" && !strings.EqualFold(with["charset"], "utf-8") {
			return nil, problem.WrongMediaType()
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, problem.TooLarge(limit)
	case err != nil:
		return nil, problem.BadRequest("the body could not be read completely")
	case !utf8.Valid(body):
		return nil, problem.BadRequest("the body is not UTF-8")
	}
	return body, nil
}
