package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text reads a string field.
func (f *Object) Text(name string, need Need) (string, bool) {
	raw, ok := f.Take(name, need)
	if !ok {
		return "", false
	}
	s, ok := unquote(raw)
	if !ok {
		f.Fault(name, "this must be a string")
	}
	return s, ok
}

// unquote is the text of a JSON value; ok is false if the value is not a string.
func unquote(raw json.RawMessage) (text string, ok bool) {
	if isPlainText(raw) {
		return string(raw[1 : len(raw)-1]), true
	}
	return unescape(raw)
}

func unescape(raw json.RawMessage) (text string, ok bool) {
	return text, json.Unmarshal(raw, &text) == nil
}

// isPlainText reports whether a JSON value is a string without escapes.
func isPlainText(raw json.RawMessage) bool {
	return raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// Number reads a number field as its exact text.
func (f *Object) Number(name string, need Need) (string, bool) {
	raw, ok := f.Take(name, need)
	if !ok {
		return "", false
	}
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		f.Fault(name, "this must be a number, not a string or anything else")
		return "", false
	}
	return string(raw), true
}

// Texts reads a field that is an array of strings.
func (f *Object) Texts(name string, need Need, most int) ([]string, bool) {
	raw, ok := f.Take(name, need)
	if !ok {
		return nil, false
	}
	if read, ok := plainTexts(raw); ok && len(read) <= most {
		return read, true
	}
	var all []*string
	if json.Unmarshal(raw, &all) != nil {
		f.Fault(name, "this must be an array of strings")
		return nil, false
	}
	if len(all) > most {
		f.Fault(name, fmt.Sprintf("this has %d items; at most %d are allowed", len(all), most))
		return nil, false
	}
	read := make([]string, len(all))
	for i, s := range all {
		if s == nil {
			f.ItemFault(name, i, "this must be a string")
			return nil, false
		}
		read[i] = *s
	}
	return read, true
}

// Items reads a field that is an array of 1 item or more.
func (f *Object) Items(name string, most int) (items []json.RawMessage) {
	raw, ok := f.Take(name, Required)
	switch {
	case !ok:
	case json.Unmarshal(raw, &items) != nil:
		f.Fault(name, "this must be an array")
	case len(items) == 0:
		f.Fault(name, fmt.Sprintf("this is empty; send 1 to %d %s", most, name))
	case len(items) > most:
		f.Fault(name, fmt.Sprintf("at most %d %s are allowed; send several batches", most, name))
	}
	return items
}

// plainTexts are the items of a JSON array, if all of them are strings without escapes.
func plainTexts(raw json.RawMessage) (texts []string, ok bool) {
	if raw[0] != '[' || bytes.IndexByte(raw, '\\') >= 0 || !utf8.Valid(raw) {
		return nil, false
	}
	for rest := bytes.TrimLeft(raw[1:], space); rest[0] != ']'; rest = bytes.TrimLeft(rest, space+",") {
		if rest[0] != '"' {
			return nil, false
		}
		end := bytes.IndexByte(rest[1:], '"') + 1
		texts, rest = append(texts, string(rest[1:end])), rest[end+1:]
	}
	return texts, true
}

// space is the white space that JSON allows between its parts.
const space = " \t\r\n"

// Shown reads a string that others will see, and normalizes it by form. An empty one removes
// what was set before.
func (f *Object) Shown(name string, form func(string) (string, error)) *string {
	text, ok := f.Text(name, Optional)
	if !ok {
		return nil
	}
	if text = strings.TrimSpace(text); text != "" {
		formed, err := form(text)
		if err != nil {
			f.Fault(name, err.Error())
		}
		text = formed
	}
	return &text
}

// Flag reads a field that is true or false.
func (f *Object) Flag(name string) *bool {
	raw, ok := f.Take(name, Optional)
	if !ok {
		return nil
	}
	yes := string(raw) == "true"
	if !yes && string(raw) != "false" {
		f.Fault(name, "this must be true or false")
	}
	return &yes
}
