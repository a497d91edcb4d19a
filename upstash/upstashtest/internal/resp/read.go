// Package resp reads and writes RESP2, the wire format of Redis. It reads replies one
// head or string at a time, in bounded memory, and writes commands.
package resp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The first bytes of the five RESP2 replies.
const (
	StatusKind = '+'
	ErrorKind  = '-'
	IntKind    = ':'
	BulkKind   = '$'
	ArrayKind  = '*'
)

const (
	MaxDepth     = 64        // arrays within arrays; Redis' own Lua limit is lower
	maxLineBytes = 64 << 10  // status and error lines
	MaxBulkBytes = 512 << 20 // Redis' own limit for one string
)

var ErrProtocol = errors.New("upstashtest: engine broke the Redis protocol")

// Head is the first line of a reply: Text for status and error, N for
// integers and lengths (-1 is nil). Text is valid until the next read.
type Head struct {
	Kind byte
	N    int64
	Text []byte
}

func (h Head) IsNil() bool {
	return (h.Kind == BulkKind || h.Kind == ArrayKind) && h.N < 0
}

// Reader takes RESP2 replies apart, one head or string at a time.
type Reader struct {
	r       *bufio.Reader
	scratch bytes.Buffer // strings that do not fit r's buffer
}

// NewReader reads what comes from r.
func NewReader(r *bufio.Reader) *Reader { return &Reader{r: r} }

// Next returns the first byte of the next reply without consuming it.
func (rr *Reader) Next() (byte, error) {
	first, err := rr.r.Peek(1)
	if err != nil {
		return 0, err
	}
	return first[0], nil
}

// Release frees the buffer for strings if it is larger than most bytes.
func (rr *Reader) Release(most int) {
	if rr.scratch.Cap() > most {
		rr.scratch = bytes.Buffer{}
	}
}

func (rr *Reader) Head() (Head, error) {
	line, err := rr.line()
	if err != nil {
		return Head{}, err
	}
	if len(line) == 0 {
		return Head{}, fmt.Errorf("%w: empty line", ErrProtocol)
	}
	h := Head{Kind: line[0], Text: line[1:]}
	switch h.Kind {
	case StatusKind, ErrorKind:
		return h, nil
	case IntKind, BulkKind, ArrayKind:
		h.N, err = strconv.ParseInt(string(h.Text), 10, 64)
		if err != nil {
			return h, fmt.Errorf("%w: number %q", ErrProtocol, h.Text)
		}
		if h.Kind != IntKind && (h.N < -1 || h.N > MaxBulkBytes) {
			return h, fmt.Errorf("%w: length %d", ErrProtocol, h.N)
		}
		return h, nil
	}
	return h, fmt.Errorf("%w: reply type %q", ErrProtocol, h.Kind)
}

// line reads up to CR LF, without the CR LF. The result is valid until the next read.
func (rr *Reader) line() ([]byte, error) {
	line, err := rr.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) && len(long) < maxLineBytes {
			line, err = rr.r.ReadSlice('\n')
			long = append(long, line...)
		}
		line = long
	}
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok {
		return nil, fmt.Errorf("%w: line without CR LF", ErrProtocol)
	}
	return body, nil
}

// Bulk reads the n bytes of a string and its CR LF. The result is valid until
// the next read.
func (rr *Reader) Bulk(n int64) ([]byte, error) {
	total := n + 2
	if total <= int64(rr.r.Size()) {
		data, err := rr.r.Peek(int(total))
		if err != nil {
			return nil, Unexpected(err)
		}
		_, _ = rr.r.Discard(int(total))
		return trimEnd(data)
	}
	rr.scratch.Reset()
	if _, err := io.CopyN(&rr.scratch, rr.r, total); err != nil {
		return nil, Unexpected(err)
	}
	return trimEnd(rr.scratch.Bytes())
}

func trimEnd(data []byte) ([]byte, error) {
	body, ok := bytes.CutSuffix(data, []byte("\r\n"))
	if !ok {
		return nil, fmt.Errorf("%w: string without CR LF", ErrProtocol)
	}
	return body, nil
}

// Unexpected returns err, or io.ErrUnexpectedEOF in place of io.EOF.
func Unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Skip reads a whole reply and discards it.
func (rr *Reader) Skip() error {
	h, err := rr.Head()
	if err != nil {
		return err
	}
	return rr.SkipRest(h, 0)
}

// SkipRest reads and discards what follows a head.
func (rr *Reader) SkipRest(h Head, depth int) error {
	switch {
	case h.IsNil():
		return nil
	case h.Kind == BulkKind:
		_, err := rr.Bulk(h.N)
		return err
	case h.Kind != ArrayKind:
		return nil
	case depth >= MaxDepth:
		return fmt.Errorf("%w: arrays deeper than %d", ErrProtocol, MaxDepth)
	}
	for range h.N {
		item, err := rr.Head()
		if err != nil {
			return err
		}
		if err := rr.SkipRest(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Error is an error reply of the engine, such as "ERR syntax error".
type Error string

func (e Error) Error() string { return string(e) }

// Value reads a whole reply: nil, int64, string, Error or []any.
func (rr *Reader) Value(depth int) (any, error) {
	h, err := rr.Head()
	if err != nil || h.IsNil() {
		return nil, err
	}
	switch h.Kind {
	case StatusKind:
		return string(h.Text), nil
	case ErrorKind:
		return Error(h.Text), nil
	case IntKind:
		return h.N, nil
	case BulkKind:
		data, err := rr.Bulk(h.N)
		return string(data), err
	}
	if depth >= MaxDepth {
		return nil, fmt.Errorf("%w: arrays deeper than %d", ErrProtocol, MaxDepth)
	}
	items := make([]any, 0, min(h.N, 1024))
	for range h.N {
		item, err := rr.Value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// FirstError reads n replies and returns a copy of the first error text, or
// nil.
func (rr *Reader) FirstError(n int) (text []byte, err error) {
	for range n {
		h, err := rr.Head()
		if err != nil {
			return nil, err
		}
		if h.Kind == ErrorKind {
			if text == nil {
				text = bytes.Clone(h.Text)
			}
			continue
		}
		if err := rr.SkipRest(h, 0); err != nil {
			return nil, err
		}
	}
	return text, nil
}
