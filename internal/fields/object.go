// Package fields reads the fields of a request, of its JSON object and of its query string,
// and collects everything that is wrong with them.
package fields

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

// maxFaults is the most faults of one object or query that an answer lists.
const maxFaults = 16

// Need says whether a field may be absent.
type Need bool

const (
	Required Need = true
	Optional Need = false
)

// Object reads a JSON object strictly. Names must match exactly, case included; unknown and
// repeated names are faults. It collects every fault with a JSON pointer to its place.
type Object struct {
	Values map[string]json.RawMessage
	At     string // JSON pointer to the object
	Taken  []string
	Faults []problem.Field
}

// Open opens a JSON object. Done reports its faults.
func Open(raw []byte, at string) *Object {
	f := &Object{At: at}
	if err := json.Unmarshal(raw, &f.Values); err != nil {
		f.Fault("", "this is not a JSON object: "+jsonFault(err))
	} else if f.Values == nil {
		f.Fault("", "this is not a JSON object but null")
	} else if members(raw) > len(f.Values) {
		name := repeatedName(raw)
		f.Fault(name, RepeatedFault(name))
	}
	return f
}

// jsonFault says what is wrong with JSON, without naming Go types.
func jsonFault(err error) string {
	switch e := err.(type) {
	case *json.SyntaxError:
		return fmt.Sprintf("%s at byte %d", strings.TrimPrefix(e.Error(), "json: "), e.Offset)
	case *json.UnmarshalTypeError:
		article := "a "
		if e.Value == "array" {
			article = "an "
		}
		return "it is " + article + e.Value
	}
	return "it ends too early"
}

// Fault adds a fault of a field; the name "" is the object itself.
func (f *Object) Fault(name, detail string) {
	pointer := f.At
	if name != "" {
		pointer += "/" + EscapePointer(name)
	}
	f.Faults = append(f.Faults, problem.At(pointer, detail))
}

// ItemFault adds a fault of one item of an array.
func (f *Object) ItemFault(name string, item int, detail string) {
	f.Faults = append(f.Faults, problem.At(f.At+"/"+EscapePointer(name)+"/"+strconv.Itoa(item), detail))
}

// EscapePointer escapes a name for use in a JSON pointer.
func EscapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(shorten(name))
}

// shorten cuts a name of the client's to a bounded length.
func shorten(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), 80)], "")
}

// Take returns a field's raw value; null and absent are the same.
func (f *Object) Take(name string, need Need) (json.RawMessage, bool) {
	f.Taken = append(f.Taken, name)
	raw, ok := f.Values[name]
	if !ok || string(raw) == "null" {
		if need == Required && f.Values != nil {
			f.Fault(name, "this field is required")
		}
		return nil, false
	}
	return raw, true
}

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
		f.Fault(name, fmt.Sprintf("these are more than %d %s; send them in several batches", most, name))
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

// Done reports all faults, unknown fields included.
func (f *Object) Done() error {
	for _, name := range unknown(f.Values, f.Taken) {
		if len(f.Faults) < maxFaults {
			f.Fault(name, "this field is unknown; "+instead(f.Taken))
		}
	}
	if len(f.Faults) == 0 {
		return nil
	}
	detail := f.Faults[0].Detail
	if where := f.Faults[0].Pointer; where != "" {
		detail = where + ": " + detail
	}
	return problem.BadRequest(detail, f.Faults...)
}

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

// instead says which names are known, for the fault of an unknown one.
func instead(taken []string) string {
	if len(taken) == 0 {
		return "leave it out, there is none here"
	}
	return "use " + strings.Join(slices.Compact(slices.Sorted(slices.Values(taken))), ", ")
}
