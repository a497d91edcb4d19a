package upstash

import (
	"fmt"
	"strconv"
	"strings"
)

type replyKind uint8

const (
	replyNil replyKind = iota
	replyText
	replyNumber
	replyArray
	replyError
)

func (k replyKind) String() string {
	switch k {
	case replyText:
		return "a string"
	case replyNumber:
		return "a number"
	case replyArray:
		return "an array"
	case replyError:
		return "an error"
	}
	return "nil"
}

// Reply is the answer to one command: nil, a string, an integer, an array of replies, or an
// error. Redis sends scores and other fractions as strings. A Reply is immutable and safe for
// concurrent use; the zero value is nil.
//
// The texts of one call share memory: use strings.Clone on the few that are kept long after
// the others.
type Reply struct {
	text  string // the string, the number's digits, or the error
	items []Reply
	kind  replyKind
}

// Err returns the *Error of a command that failed within a call that succeeded, else nil.
// Result.Err knows more: which command it was, and whether it may have been applied.
func (r Reply) Err() error {
	if r.kind != replyError {
		return nil
	}
	return itemError(r.text)
}

// IsNil reports whether the answer is nil: no such key, member or field.
func (r Reply) IsNil() bool { return r.kind == replyNil }

// Int64 reads an integer exactly, also one that Redis stores as a string. It returns ErrNil
// for nil, and the reply's own error for an error.
func (r Reply) Int64() (int64, error) {
	text, err := r.scalar("an integer")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, mismatch(quoted(text), "an integer of 64 bits")
	}
	return n, nil
}

// Float64 reads a score: a decimal, or inf and -inf. It returns ErrNil for nil, and the
// reply's own error for an error.
func (r Reply) Float64() (float64, error) {
	text, err := r.scalar("a number")
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, mismatch(quoted(text), "a number")
	}
	return f, nil
}

// Text reads a string as its bytes, or a number as its digits. It returns ErrNil for nil, and
// the reply's own error for an error.
func (r Reply) Text() (string, error) { return r.scalar("a string") }

// Strings reads an array of strings or numbers. It returns ErrNil for nil and, with the index,
// for a nil element: use Array if nil elements are expected.
func (r Reply) Strings() ([]string, error) {
	items, err := r.Array()
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if texts[i], err = item.Text(); err != nil {
			return nil, fmt.Errorf("upstash: element %d: %w", i, err)
		}
	}
	return texts, nil
}

// Array reads an array, which the caller must not change. It returns ErrNil for nil, and the
// reply's own error for an error.
func (r Reply) Array() ([]Reply, error) {
	switch r.kind {
	case replyArray:
		return r.items, nil
	case replyNil:
		return nil, ErrNil
	case replyError:
		return nil, r.Err()
	}
	return nil, mismatch(r.kind.String(), "an array")
}

func (r Reply) scalar(want string) (string, error) {
	switch r.kind {
	case replyText, replyNumber:
		return r.text, nil
	case replyNil:
		return "", ErrNil
	case replyError:
		return "", r.Err()
	}
	return "", mismatch(r.kind.String(), want)
}

func quoted(text string) string {
	const shown = 64
	if len(text) > shown {
		text = strings.ToValidUTF8(text[:shown], "") + "…"
	}
	return strconv.Quote(text)
}

// mismatch says that a reply has another shape than the caller expected. The command was
// applied; sending it again would give the same shape.
func mismatch(got, want string) error {
	return &Error{Op: "read reply", Message: "got " + got + ", want " + want, kind: KindProtocol, maybeApplied: true}
}
