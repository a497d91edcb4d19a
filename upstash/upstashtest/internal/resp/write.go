package resp

import (
	"fmt"
	"strconv"
)

// AppendCommand appends one command as RESP2 clients send it: an array of bulk
// strings.
func AppendCommand(dst []byte, args ...[]byte) []byte {
	dst = AppendLength(dst, ArrayKind, len(args))
	for _, arg := range args {
		dst = AppendBulk(dst, arg)
	}
	return dst
}

// AppendBulk appends a string.
func AppendBulk(dst, data []byte) []byte {
	dst = AppendLength(dst, BulkKind, len(data))
	dst = append(dst, data...)
	return append(dst, '\r', '\n')
}

// AppendLength appends the head of a string or of an array; kind says which.
func AppendLength(dst []byte, kind byte, n int) []byte {
	dst = append(dst, kind)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, '\r', '\n')
}

// AppendRaw copies the rest of a reply whose head has been read.
func (rr *Reader) AppendRaw(dst []byte, h Head, depth int) ([]byte, error) {
	dst = append(dst, h.Kind)
	dst = append(dst, h.Text...)
	dst = append(dst, '\r', '\n')
	switch {
	case h.IsNil():
		return dst, nil
	case h.Kind == BulkKind:
		data, err := rr.Bulk(h.N)
		dst = append(dst, data...)
		return append(dst, '\r', '\n'), err
	case h.Kind != ArrayKind:
		return dst, nil
	case depth >= MaxDepth:
		return dst, fmt.Errorf("%w: arrays deeper than %d", ErrProtocol, MaxDepth)
	}
	for range h.N {
		item, err := rr.Head()
		if err != nil {
			return dst, err
		}
		if dst, err = rr.AppendRaw(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Integer reads a number as Redis does: no sign but a minus, no leading zeros.
func Integer(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == text
}
