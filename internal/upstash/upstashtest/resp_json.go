package upstashtest

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// appendReply reads one reply and appends it as {"result":…} or {"error":…}.
// failed says which.
func (rr *replyReader) appendReply(dst []byte, base64 bool) (out []byte, failed bool, err error) {
	h, err := rr.head()
	if err != nil {
		return dst, false, err
	}
	if h.kind == respError {
		return appendError(dst, h.text), true, nil
	}
	dst = append(dst, `{"result":`...)
	if dst, err = rr.appendValue(dst, h, base64, 0); err != nil {
		return dst, false, err
	}
	return append(dst, '}'), false, nil
}

func (rr *replyReader) appendValue(dst []byte, h replyHead, base64 bool, depth int) ([]byte, error) {
	switch {
	case h.isNil():
		return append(dst, "null"...), nil
	case h.kind == respInt:
		return strconv.AppendInt(dst, h.n, 10), nil
	case h.kind == respStatus:
		// The bare OK is the one string that base64 answers leave as it is.
		return appendText(dst, h.text, base64 && string(h.text) != "OK"), nil
	case h.kind == respError:
		return appendText(dst, h.text, base64), nil
	case h.kind == respBulk:
		data, err := rr.bulk(h.n)
		return appendText(dst, data, base64), err
	}
	if depth >= maxReplyDepth {
		return dst, fmt.Errorf("%w: arrays deeper than %d", errProtocol, maxReplyDepth)
	}
	dst = append(dst, '[')
	for i := range h.n {
		if i > 0 {
			dst = append(dst, ',')
		}
		item, err := rr.head()
		if err != nil {
			return dst, err
		}
		if dst, err = rr.appendValue(dst, item, base64, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendError(dst, text []byte) []byte {
	dst = append(dst, `{"error":`...)
	dst = appendString(dst, text)
	return append(dst, '}')
}

func appendText(dst, text []byte, encode bool) []byte {
	if !encode {
		return appendString(dst, text)
	}
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, text)
	return append(dst, '"')
}

// appendString appends text as a JSON string. Bytes that are not UTF-8 become
// U+FFFD, as Upstash has it.
func appendString(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			if b >= ' ' && b != '"' && b != '\\' {
				i++
				continue
			}
			dst = append(dst, text[start:i]...)
			switch b {
			case '"', '\\':
				dst = append(dst, '\\', b)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, text[start:i]...)
			dst = append(dst, "\ufffd"...)
			start = i + 1
		}
		i += size
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}
