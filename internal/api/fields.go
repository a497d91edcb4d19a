package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/problem"
)

// maxFaults is how many faults of one object or query are told.
const maxFaults = 16

// fields reads a JSON object strictly: names must match to the letter, none
// may be unknown or there twice, and every fault is gathered with a pointer to
// its place.
type fields struct {
	values map[string]json.RawMessage
	at     string // pointer of the object itself
	taken  []string
	faults []problem.Field
}

// object opens one JSON object. Its own faults are reported by done.
func object(raw []byte, at string) *fields {
	f := &fields{at: at}
	if err := json.Unmarshal(raw, &f.values); err != nil {
		f.fault("", "this is not a JSON object: "+jsonFault(err))
	} else if f.values == nil {
		f.fault("", "this is not a JSON object but null")
	} else if members(raw) > len(f.values) {
		name := repeatedName(raw)
		f.fault(name, repeatedFault(name))
	}
	return f
}

// jsonFault says what is wrong with JSON, without naming Go types.
func jsonFault(err error) string {
	switch e := err.(type) {
	case *json.SyntaxError:
		return fmt.Sprintf("%s at byte %d", strings.TrimPrefix(e.Error(), "json: "), e.Offset)
	case *json.UnmarshalTypeError:
		return "it is a " + e.Value
	}
	return "it ends too early"
}

func (f *fields) fault(name, detail string) {
	pointer := f.at
	if name != "" {
		pointer += "/" + escapePointer(name)
	}
	f.faults = append(f.faults, problem.At(pointer, detail))
}

// itemFault is a fault of one item of an array.
func (f *fields) itemFault(name string, item int, detail string) {
	f.faults = append(f.faults, problem.At(f.at+"/"+escapePointer(name)+"/"+strconv.Itoa(item), detail))
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(shorten(name))
}

// shorten bounds a name that a client made up.
func shorten(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), 80)], "")
}

// take returns a field's raw value; null and absent are the same.
func (f *fields) take(name string, required bool) (json.RawMessage, bool) {
	f.taken = append(f.taken, name)
	raw, ok := f.values[name]
	if !ok || string(raw) == "null" {
		if required && f.values != nil {
			f.fault(name, "this field is required")
		}
		return nil, false
	}
	return raw, true
}

// text reads a string field.
func (f *fields) text(name string, required bool) (string, bool) {
	raw, ok := f.take(name, required)
	if !ok {
		return "", false
	}
	s, ok := unquote(raw)
	if !ok {
		f.fault(name, "this must be a string")
	}
	return s, ok
}

// unquote is the text of a value of JSON; false where it is none.
func unquote(raw json.RawMessage) (text string, ok bool) {
	if isPlainText(raw) {
		return string(raw[1 : len(raw)-1]), true
	}
	return unescape(raw)
}

func unescape(raw json.RawMessage) (text string, ok bool) {
	return text, json.Unmarshal(raw, &text) == nil
}

// isPlainText reports whether a value of JSON is a text in which nothing is escaped.
func isPlainText(raw json.RawMessage) bool {
	return raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// number reads the exact text of a number field.
func (f *fields) number(name string, required bool) (string, bool) {
	raw, ok := f.take(name, required)
	if !ok {
		return "", false
	}
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		f.fault(name, "this must be a number, not a string or anything else")
		return "", false
	}
	return string(raw), true
}

// texts reads a field that holds strings.
func (f *fields) texts(name string, required bool, most int) ([]string, bool) {
	raw, ok := f.take(name, required)
	if !ok {
		return nil, false
	}
	if read, ok := plainTexts(raw); ok && len(read) <= most {
		return read, true
	}
	var all []*string
	if json.Unmarshal(raw, &all) != nil {
		f.fault(name, "this must be an array of strings")
		return nil, false
	}
	if len(all) > most {
		f.fault(name, fmt.Sprintf("this has %d items; at most %d are allowed", len(all), most))
		return nil, false
	}
	read := make([]string, len(all))
	for i, s := range all {
		if s == nil {
			f.itemFault(name, i, "this must be a string")
			return nil, false
		}
		read[i] = *s
	}
	return read, true
}

// plainTexts are the items of an array of JSON, where all of them are texts in which
// nothing is escaped.
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

// space is what may stand between the parts of JSON.
const space = " \t\r\n"

// done reports every fault, unknown fields too.
func (f *fields) done() error {
	for _, name := range unknown(f.values, f.taken) {
		if len(f.faults) < maxFaults {
			f.fault(name, "this field is unknown")
		}
	}
	if len(f.faults) == 0 {
		return nil
	}
	detail := f.faults[0].Detail
	if where := f.faults[0].Pointer; where != "" {
		detail = where + ": " + detail
	}
	return problem.BadRequest(detail, f.faults...)
}

// shown reads a string that others will see, and puts it into the form in which
// they do; an empty one takes it back.
func (f *fields) shown(name string, form func(string) (string, error)) *string {
	text, ok := f.text(name, false)
	if !ok {
		return nil
	}
	if text = strings.TrimSpace(text); text != "" {
		formed, err := form(text)
		if err != nil {
			f.fault(name, err.Error())
		}
		text = formed
	}
	return &text
}

// flag reads a field that is true or false.
func (f *fields) flag(name string) *bool {
	raw, ok := f.take(name, false)
	if !ok {
		return nil
	}
	yes := string(raw) == "true"
	if !yes && string(raw) != "false" {
		f.fault(name, "this must be true or false")
	}
	return &yes
}

// unknown are the names that were not taken, in order.
func unknown[V any](values map[string]V, taken []string) (names []string) {
	for name := range values {
		if !slices.Contains(taken, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func joined(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
