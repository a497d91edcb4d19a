package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

var errNotObject = errors.New("not a JSON object with distinct names")

// object is a JSON object with distinct names, which are looked up exactly as written.
// encoding/json would take the last of two equal names and ignore case, so that two readers
// of one token could see different claims. Names and values are slices of one text; the
// values are JSON.
type object map[string]string

// usualMembers is how many members parseObject makes room for at most: a token has some
// twelve claims.
const usualMembers = 16

// parseObject reads data as exactly one JSON object. It refuses any name that occurs twice.
func parseObject(data []byte) (object, error) {
	if !json.Valid(data) {
		return nil, errNotObject
	}
	// From here on data is valid JSON, so it is enough to find where members begin and end.
	at := skipSpace(data, 0)
	if data[at] != '{' {
		return nil, errNotObject
	}
	o, text := make(object, min(bytes.Count(data, []byte{':'}), usualMembers)), string(data)
	for at = skipSpace(data, at+1); data[at] != '}'; {
		end := valueEnd(data, at)
		name, ok := unquote(text[at:end])
		if _, twice := o[name]; twice || !ok {
			return nil, errNotObject
		}
		at = skipSpace(data, end) // the colon
		at = skipSpace(data, at+1)
		end = valueEnd(data, at)
		o[name] = text[at:end]
		at = skipSpace(data, end)
		if data[at] == ',' {
			at = skipSpace(data, at+1)
		}
	}
	return o, nil
}

// text returns a member that is a string; ok is false if the member is absent or not a
// string.
func (o object) text(name string) (value string, ok bool) {
	return unquote(o[name])
}

func (o object) has(name string) bool {
	_, found := o[name]
	return found
}

// unquote returns the value of one valid JSON string, or false for any other
// JSON.
func unquote(raw string) (value string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	if strings.IndexByte(inner, '\\') < 0 && utf8.ValidString(inner) {
		return inner, true
	}
	return unescape(raw)
}

func unescape(raw string) (value string, ok bool) {
	return value, json.Unmarshal([]byte(raw), &value) == nil
}

// skipSpace returns the index of the first byte at or after at that is not
// white space.
func skipSpace(data []byte, at int) int {
	for at < len(data) && isSpace(data[at]) {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// valueEnd returns the index after the value that begins at at.
func valueEnd(data []byte, at int) int {
	depth := 0
	for {
		switch data[at] {
		case '"':
			at = stringEnd(data, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			if at = skipScalar(data, at); depth > 0 {
				continue
			}
		}
		if depth == 0 {
			return at
		}
	}
}

// stringEnd returns the index after the string whose quote is at at.
func stringEnd(data []byte, at int) int {
	for at++; data[at] != '"'; at++ {
		if data[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// skipScalar passes a number, true, false or null, or else one byte that
// separates values.
func skipScalar(data []byte, at int) int {
	start := at
	for at < len(data) && !isSpace(data[at]) && bytes.IndexByte([]byte(`",:[]{}`), data[at]) < 0 {
		at++
	}
	return max(at, start+1)
}
