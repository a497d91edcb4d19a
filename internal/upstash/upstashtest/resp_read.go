package upstashtest

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
	respStatus = '+'
	respError  = '-'
	respInt    = ':'
	respBulk   = '$'
	respArray  = '*'
)

const (
	maxReplyDepth = 64        // arrays within arrays; Redis' own Lua limit is lower
	maxLineBytes  = 64 << 10  // status and error lines
	maxBulkBytes  = 512 << 20 // Redis' own limit for one string
)

var errProtocol = errors.New("upstashtest: engine broke the Redis protocol")

// replyHead is the first line of a reply: text for status and error, n for
// integers and lengths (-1 is nil). text is valid until the next read.
type replyHead struct {
	kind byte
	n    int64
	text []byte
}

func (h replyHead) isNil() bool {
	return (h.kind == respBulk || h.kind == respArray) && h.n < 0
}

// replyReader takes RESP2 replies apart, one head or string at a time.
type replyReader struct {
	r       *bufio.Reader
	scratch bytes.Buffer // strings that do not fit r's buffer
}

func (rr *replyReader) head() (replyHead, error) {
	line, err := rr.line()
	if err != nil {
		return replyHead{}, err
	}
	if len(line) == 0 {
		return replyHead{}, fmt.Errorf("%w: empty line", errProtocol)
	}
	h := replyHead{kind: line[0], text: line[1:]}
	switch h.kind {
	case respStatus, respError:
		return h, nil
	case respInt, respBulk, respArray:
		h.n, err = strconv.ParseInt(string(h.text), 10, 64)
		if err != nil {
			return h, fmt.Errorf("%w: number %q", errProtocol, h.text)
		}
		if h.kind != respInt && (h.n < -1 || h.n > maxBulkBytes) {
			return h, fmt.Errorf("%w: length %d", errProtocol, h.n)
		}
		return h, nil
	}
	return h, fmt.Errorf("%w: reply type %q", errProtocol, h.kind)
}

// line reads up to CR LF, which it drops. The result is valid until the next
// read.
func (rr *replyReader) line() ([]byte, error) {
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
		return nil, fmt.Errorf("%w: line without CR LF", errProtocol)
	}
	return body, nil
}

// bulk reads the n bytes of a string and its CR LF. The result is valid until
// the next read.
func (rr *replyReader) bulk(n int64) ([]byte, error) {
	total := n + 2
	if total <= int64(rr.r.Size()) {
		data, err := rr.r.Peek(int(total))
		if err != nil {
			return nil, unexpected(err)
		}
		_, _ = rr.r.Discard(int(total))
		return trimEnd(data)
	}
	rr.scratch.Reset()
	if _, err := io.CopyN(&rr.scratch, rr.r, total); err != nil {
		return nil, unexpected(err)
	}
	return trimEnd(rr.scratch.Bytes())
}

func trimEnd(data []byte) ([]byte, error) {
	body, ok := bytes.CutSuffix(data, []byte("\r\n"))
	if !ok {
		return nil, fmt.Errorf("%w: string without CR LF", errProtocol)
	}
	return body, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// skip reads a whole reply and forgets it.
func (rr *replyReader) skip() error {
	h, err := rr.head()
	if err != nil {
		return err
	}
	return rr.skipRest(h, 0)
}

// skipRest reads what follows a head.
func (rr *replyReader) skipRest(h replyHead, depth int) error {
	switch {
	case h.isNil():
		return nil
	case h.kind == respBulk:
		_, err := rr.bulk(h.n)
		return err
	case h.kind != respArray:
		return nil
	case depth >= maxReplyDepth:
		return fmt.Errorf("%w: arrays deeper than %d", errProtocol, maxReplyDepth)
	}
	for range h.n {
		item, err := rr.head()
		if err != nil {
			return err
		}
		if err := rr.skipRest(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// EngineError is an error reply of the engine, such as "ERR syntax error".
type EngineError string

func (e EngineError) Error() string { return string(e) }

// value reads a whole reply: nil, int64, string, EngineError or []any.
func (rr *replyReader) value(depth int) (any, error) {
	if depth > maxReplyDepth {
		return nil, fmt.Errorf("%w: arrays deeper than %d", errProtocol, maxReplyDepth)
	}
	h, err := rr.head()
	if err != nil || h.isNil() {
		return nil, err
	}
	switch h.kind {
	case respStatus:
		return string(h.text), nil
	case respError:
		return EngineError(h.text), nil
	case respInt:
		return h.n, nil
	case respBulk:
		data, err := rr.bulk(h.n)
		return string(data), err
	}
	items := make([]any, 0, min(h.n, 1024))
	for range h.n {
		item, err := rr.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
