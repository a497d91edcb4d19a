package upstashtest

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// appendReply reads one reply and appends it in the format: as {"result":…} or
// {"error":…}, or as RESP2 unchanged. failed reports an error reply.
func appendReply(rr *resp.Reader, dst []byte, f format) (out []byte, failed bool, err error) {
	h, err := rr.Head()
	switch {
	case err != nil:
		return dst, false, err
	case h.Kind == resp.ErrorKind:
		return f.appendError(dst, h.Text), true, nil
	case f == formatRESP:
		dst, err = rr.AppendRaw(dst, h, 0)
		return dst, false, err
	}
	dst = append(dst, `{"result":`...)
	if dst, err = appendValue(rr, dst, h, f, 0); err != nil {
		return dst, false, err
	}
	return append(dst, '}'), false, nil
}

func appendValue(rr *resp.Reader, dst []byte, h resp.Head, f format, depth int) ([]byte, error) {
	switch {
	case h.IsNil():
		return append(dst, "null"...), nil
	case h.Kind == resp.IntKind:
		return strconv.AppendInt(dst, h.N, 10), nil
	case h.Kind == resp.StatusKind && isOK(h.Text):
		return appendString(dst, h.Text), nil
	case h.Kind == resp.StatusKind, h.Kind == resp.ErrorKind:
		return appendText(dst, h.Text, f), nil
	case h.Kind == resp.BulkKind:
		data, err := rr.Bulk(h.N)
		return appendText(dst, data, f), err
	}
	if depth >= resp.MaxDepth {
		return dst, fmt.Errorf("%w: arrays deeper than %d", resp.ErrProtocol, resp.MaxDepth)
	}
	dst = append(dst, '[')
	for i := range h.N {
		if i > 0 {
			dst = append(dst, ',')
		}
		item, err := rr.Head()
		if err != nil {
			return dst, err
		}
		if dst, err = appendValue(rr, dst, item, f, depth+1); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendText(dst, text []byte, f format) []byte {
	if f != formatBase64 {
		return appendString(dst, text)
	}
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, text)
	return append(dst, '"')
}

// appendString appends text as a JSON string. Bytes that are not UTF-8 become U+FFFD, as
// in Upstash.
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

// appendValidRune appends the first character of text and returns its size; a
// byte that is not UTF-8 becomes U+FFFD.
func appendValidRune(dst, text []byte) ([]byte, int) {
	r, size := utf8.DecodeRune(text)
	return utf8.AppendRune(dst, r), size
}
