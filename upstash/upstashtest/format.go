package upstashtest

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

const (
	encodingHeader = "Upstash-Encoding"
	formatHeader   = "Upstash-Response-Format"
)

// format is how the answers of one request are written.
type format byte

const (
	formatJSON   format = iota
	formatBase64        // JSON whose strings are base64
	formatRESP          // replies as the Redis protocol has them
)

// requestFormat reads the two headers that choose the format. problem says what is wrong
// with them, or is "".
func requestFormat(h http.Header) (f format, problem string) {
	encoding, shape := first(h[encodingHeader]), first(h[formatHeader])
	switch {
	case encoding == "":
	case strings.EqualFold(encoding, "base64"):
		f = formatBase64
	default:
		return formatJSON, "ERR " + encodingHeader + " " + strconv.Quote(encoding) + " is unknown; use base64"
	}
	switch {
	case shape == "", strings.EqualFold(shape, "json"):
	case !strings.EqualFold(shape, "resp2"):
		return formatJSON, "ERR " + formatHeader + " " + strconv.Quote(shape) + " is unknown; use json or resp2"
	case f == formatBase64:
		return formatJSON, "ERR " + encodingHeader + " base64 cannot be combined with " + formatHeader + " resp2; send one of them"
	default:
		f = formatRESP
	}
	return f, ""
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

func (f format) contentType() []string {
	if f == formatRESP {
		return []string{"application/octet-stream"}
	}
	return []string{"application/json"}
}

// appendError appends the answer of a command that failed with text.
func (f format) appendError(dst, text []byte) []byte {
	if f == formatRESP {
		dst = append(dst, resp.ErrorKind)
		for _, c := range text {
			if c == '\r' || c == '\n' {
				c = ' '
			}
			dst = append(dst, c)
		}
		return append(dst, '\r', '\n')
	}
	dst = append(dst, `{"error":`...)
	dst = appendString(dst, text)
	return append(dst, '}')
}

// appendSeparator writes the separator before answer i of a batch. RESP2 replies follow each
// other without a separator.
func (f format) appendSeparator(dst []byte, i int) []byte {
	switch {
	case f == formatRESP:
		return dst
	case i == 0:
		return append(dst, '[')
	}
	return append(dst, ',')
}

// appendEnd ends a batch.
func (f format) appendEnd(dst []byte) []byte {
	if f == formatRESP {
		return dst
	}
	return append(dst, ']')
}

// appendResult writes the answer that is one string.
func (f format) appendResult(dst, text []byte) []byte {
	if f == formatRESP {
		return resp.AppendBulk(dst, text)
	}
	dst = append(dst, `{"result":`...)
	dst = appendText(dst, text, f)
	return append(dst, '}')
}

// appendRankPair writes the answer of Z[REV]RANK … WITHSCORE from its two
// halves.
func (f format) appendRankPair(dst []byte, rank int64, score []byte) []byte {
	if f == formatRESP {
		dst = resp.AppendLength(dst, resp.ArrayKind, 2)
		dst = append(dst, resp.IntKind)
		dst = strconv.AppendInt(dst, rank, 10)
		dst = append(dst, '\r', '\n')
		return resp.AppendBulk(dst, score)
	}
	dst = append(dst, `{"result":[`...)
	dst = strconv.AppendInt(dst, rank, 10)
	dst = append(dst, ',')
	dst = appendText(dst, score, f)
	return append(dst, "]}"...)
}

func (f format) appendNilArray(dst []byte) []byte {
	if f == formatRESP {
		return append(dst, "*-1\r\n"...)
	}
	return append(dst, `{"result":null}`...)
}

// isOK reports whether text is OK, the one string that base64 answers leave as it is.
func isOK(text []byte) bool { return bytes.Equal(text, []byte("OK")) }
