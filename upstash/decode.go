package upstash

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxAnswer bounds the body of one answer, in bytes: several commands of the 10 MB each
	// that Upstash allows.
	maxAnswer = 64 << 20
	// maxDepth bounds the nesting of arrays.
	maxDepth = 64
	// maxValues bounds the values of one answer, some 100 MB when decoded.
	maxValues = 2 << 20
	// keptBytes and keptValues bound the memory that a reader keeps between answers.
	keptBytes  = 1 << 20
	keptValues = 4 << 10
	// fewValues is the number of elements up to which an array simply grows; see reserve.
	fewValues = 256
)

var errTooLong = errors.New("answer is too long")

// reader parses answers. It is reused; its results share no memory with it.
type reader struct {
	body []byte // the answer
	pos  int
	// texts collects every decoded text of one answer, so that together they cost one
	// allocation.
	texts  strings.Builder
	plain  []byte  // one string with its escapes decoded
	stack  []Reply // elements of the arrays that are not complete yet
	values int
	asText bool      // strings are plain text, not base64
	ends   []int     // end of each answer in an array of answers, including comma or bracket
	part   [768]byte // the decoded bytes of one chunk of base64, a multiple of 3
}

// fill reads the whole body; size is its announced length, or -1.
func (d *reader) fill(r io.Reader, size int64) error {
	d.body = d.body[:0]
	if size > maxAnswer {
		return errTooLong
	}
	// A server can announce much and send nothing: beyond this size the buffer grows only with
	// what arrives.
	if need := int(min(size, keptBytes-1)) + 1; need > cap(d.body) {
		d.body = make([]byte, 0, need)
	}
	for {
		if len(d.body) == cap(d.body) {
			d.body = append(d.body, 0)[:len(d.body)]
		}
		n, err := r.Read(d.body[len(d.body):cap(d.body)])
		d.body = d.body[:len(d.body)+n]
		switch {
		case len(d.body) > maxAnswer:
			return errTooLong
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// release drops the answer and reports whether the reader is small enough to be kept.
func (d *reader) release() bool {
	d.texts = strings.Builder{}
	clear(d.stack) // of an incomplete array; the stack has nothing after it
	d.stack = d.stack[:0]
	d.ends = d.ends[:0]
	return cap(d.body) <= keptBytes && cap(d.plain) <= keptBytes && cap(d.stack) <= keptValues && cap(d.ends) <= keptValues
}

// decode parses what fill has read: the answer to one command or, if count is not -1, an array
// of that many answers or one error for all of them.
func (d *reader) decode(count int) (Reply, error) {
	d.pos, d.values = 0, 0
	d.stack = d.stack[:0]
	d.ends = d.ends[:0]
	d.texts = strings.Builder{}
	d.texts.Grow(d.mostText())
	d.space()
	var reply Reply
	var err error
	if count >= 0 && d.peek() == '[' {
		reply, err = d.array(0, (*reader).envelope)
		if err == nil && len(reply.items) != count {
			err = fmt.Errorf("got %d answers, want %d", len(reply.items), count)
		}
	} else {
		reply, err = d.envelope(0)
		if err == nil && count >= 0 && reply.kind != replyError {
			err = fmt.Errorf("got one answer, want an array of %d", count)
		}
	}
	if err != nil {
		return Reply{}, err
	}
	if d.space(); d.pos != len(d.body) {
		return Reply{}, d.unexpected("the end")
	}
	return reply, nil
}

// mostText is an upper bound for the bytes of the answer's texts.
func (d *reader) mostText() int {
	if d.asText {
		return len(d.body)
	}
	return len(d.body)*3/4 + 8
}

// envelope parses {"result":…} or {"error":"…"}; it skips other members.
func (d *reader) envelope(depth int) (Reply, error) {
	if err := d.expect('{'); err != nil {
		return Reply{}, err
	}
	var result, failure Reply
	found := false
	for first := true; ; first = false {
		d.space()
		if d.peek() == '}' {
			d.pos++
			break
		}
		if !first {
			if err := d.expect(','); err != nil {
				return Reply{}, err
			}
			d.space()
		}
		name, err := d.text()
		if err != nil {
			return Reply{}, err
		}
		member := memberOf(name)
		d.space()
		if err := d.expect(':'); err != nil {
			return Reply{}, err
		}
		d.space()
		switch member {
		case "result":
			found = true
			result, err = d.value(depth + 1)
		case "error":
			failure, err = d.failure()
		default:
			err = d.skip(depth + 1)
		}
		if err != nil {
			return Reply{}, err
		}
	}
	switch {
	case failure.kind == replyError:
		return failure, nil
	case found:
		return result, nil
	}
	return Reply{}, errors.New(`object has neither "result" nor "error"`)
}

// memberOf avoids keeping the name, whose memory is reused.
func memberOf(name []byte) string {
	switch string(name) {
	case "result":
		return "result"
	case "error":
		return "error"
	}
	return ""
}

// failure parses an error text, which is never base64, or null for no error.
func (d *reader) failure() (Reply, error) {
	if d.literal("null") {
		return Reply{}, nil
	}
	raw, err := d.text()
	if err != nil {
		return Reply{}, err
	}
	if len(raw) > shownMessage {
		raw = raw[:shownMessage]
	}
	return Reply{kind: replyError, text: strings.ToValidUTF8(string(raw), "\uFFFD")}, nil
}

// value parses one result.
func (d *reader) value(depth int) (Reply, error) {
	switch c := d.peek(); {
	case c == '"':
		return d.string()
	case c == '[':
		return d.array(depth, (*reader).value)
	case c == '-' || c >= '0' && c <= '9':
		from := d.pos
		if err := d.number(); err != nil {
			return Reply{}, err
		}
		return Reply{kind: replyNumber, text: d.keep(d.body[from:d.pos])}, nil
	case d.literal("null"):
		return Reply{}, nil
	}
	return Reply{}, d.unexpected("a string, a number, null or an array")
}

// array parses an array whose elements element parses.
func (d *reader) array(depth int, element func(*reader, int) (Reply, error)) (Reply, error) {
	if depth >= maxDepth {
		return Reply{}, fmt.Errorf("arrays are nested more than %d deep", maxDepth)
	}
	d.pos++
	base := len(d.stack)
	for d.space(); d.peek() != ']'; d.space() {
		if len(d.stack) > base {
			if err := d.expect(','); err != nil {
				return Reply{}, err
			}
			if depth == 0 {
				d.ends = append(d.ends, d.pos)
			}
			d.space()
		}
		if d.values++; d.values > maxValues {
			return Reply{}, errTooLong
		}
		item, err := element(d, depth+1)
		if err != nil {
			return Reply{}, err
		}
		if len(d.stack) == cap(d.stack) && len(d.stack) >= fewValues {
			d.reserve()
		}
		d.stack = append(d.stack, item)
	}
	d.pos++
	if depth == 0 {
		d.ends = append(d.ends, len(d.body))
	}
	return Reply{kind: replyArray, items: d.close(base)}, nil
}

// reserve makes room for the rest of an array, up to where the next array begins or ends:
// growing by a quarter at a time would need five times as much memory.
func (d *reader) reserve() {
	rest := d.body[d.pos:]
	for _, bracket := range []byte{']', '['} {
		if end := bytes.IndexByte(rest, bracket); end >= 0 {
			rest = rest[:end]
		}
	}
	d.stack = slices.Grow(d.stack, min(bytes.Count(rest, []byte{','})+1, maxValues))
}

// close takes the elements of a complete array off the stack.
func (d *reader) close(base int) []Reply {
	items := d.stack[base:]
	if len(items) > keptValues { // too many to keep: they stay where they are
		d.stack = slices.Clone(d.stack[:base])
		return slices.Clip(items)
	}
	items = slices.Clone(items)
	clear(d.stack[base:])
	d.stack = d.stack[:base]
	return items
}

// string parses a string in the form that the answer has: plain text or base64.
func (d *reader) string() (Reply, error) {
	raw, err := d.text()
	switch {
	case err != nil:
		return Reply{}, err
	case !d.asText:
		return d.encoded(raw)
	case !utf8.Valid(raw):
		return Reply{}, errors.New("string is not valid UTF-8")
	}
	return Reply{kind: replyText, text: d.keep(raw)}, nil
}

// encoded decodes base64, or a bare OK, which the server does not encode. OK is not valid
// base64, so the two cannot be confused.
func (d *reader) encoded(raw []byte) (Reply, error) {
	if string(raw) == "OK" {
		return Reply{kind: replyText, text: "OK"}, nil
	}
	start := d.texts.Len()
	for len(raw) > 0 {
		chunk := raw[:min(len(raw), base64.StdEncoding.EncodedLen(len(d.part)))]
		raw = raw[len(chunk):]
		n, err := base64.StdEncoding.Decode(d.part[:], chunk)
		if err != nil || len(raw) > 0 && n < len(d.part) {
			return Reply{}, errors.New("string is not base64: the server ignores Upstash-Encoding")
		}
		d.texts.Write(d.part[:n])
	}
	return Reply{kind: replyText, text: d.texts.String()[start:]}, nil
}

func (d *reader) keep(b []byte) string {
	start := d.texts.Len()
	d.texts.Write(b)
	return d.texts.String()[start:]
}
