package upstashtest

import (
	"fmt"
	"strconv"
)

// appendCommand appends one command as RESP2 clients send it: an array of bulk
// strings.
func appendCommand(dst []byte, args ...[]byte) []byte {
	dst = appendLength(dst, respArray, len(args))
	for _, arg := range args {
		dst = appendBulk(dst, arg)
	}
	return dst
}

func appendBulk(dst, data []byte) []byte {
	dst = appendLength(dst, respBulk, len(data))
	dst = append(dst, data...)
	return append(dst, '\r', '\n')
}

func appendLength(dst []byte, kind byte, n int) []byte {
	dst = append(dst, kind)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, '\r', '\n')
}

// appendRaw copies the rest of a reply whose head has been read.
func (rr *replyReader) appendRaw(dst []byte, h replyHead, depth int) ([]byte, error) {
	dst = append(dst, h.kind)
	dst = append(dst, h.text...)
	dst = append(dst, '\r', '\n')
	switch {
	case h.isNil():
		return dst, nil
	case h.kind == respBulk:
		data, err := rr.bulk(h.n)
		dst = append(dst, data...)
		return append(dst, '\r', '\n'), err
	case h.kind != respArray:
		return dst, nil
	case depth >= maxReplyDepth:
		return dst, fmt.Errorf("%w: arrays deeper than %d", errProtocol, maxReplyDepth)
	}
	for range h.n {
		item, err := rr.head()
		if err != nil {
			return dst, err
		}
		if dst, err = rr.appendRaw(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
