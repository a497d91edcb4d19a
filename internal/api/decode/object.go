// Package decode reads the fields of a request, of its JSON object and of its query string,
// and collects everything that is wrong with them.
package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/api/problem"
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
		f.Fault("", "this must be a JSON object, not null")
	} else if members(raw) > len(f.Values) {
		name := repeatedName(raw)
		f.Fault(name, repeatedFault(name))
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
	return "unexpected end"
}

// members counts the members of one object, without those of nested objects. If an object has
// two members of one name, encoding/json takes the last one and other readers take the first.
// A request could then look like one thing and do another.
//
// This and the next functions expect valid JSON. They compare names after decoding their
// escapes.
func members(raw []byte) (n int) {
	depth := 0
	for at := 0; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			for at++; raw[at] != '"'; at++ {
				if raw[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ':':
			if depth == 1 {
				n++
			}
		}
	}
	return n
}

// repeatedName is the first name of an object that appears again; "" if there is none.
func repeatedName(raw []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, _ = decoder.Token() // the brace
	seen := map[string]bool{}
	for decoder.More() {
		token, _ := decoder.Token()
		name, _ := token.(string)
		if seen[name] {
			return name
		}
		seen[name] = true
		var value json.RawMessage
		_ = decoder.Decode(&value)
	}
	return ""
}

// maxDepth is how deep objects and arrays of a field may be nested. Readers of JSON in other
// languages have bounds too.
const maxDepth = 32

// NamesOnce reports whether no name is there more than once at any depth of a field's value,
// and whether it is not nested too deeply; otherwise it adds a fault.
func (f *Object) NamesOnce(field string, value []byte) bool {
	pointer, fault := repeatedWithin(value)
	if fault != "" {
		f.Faults = append(f.Faults, problem.At(f.At+"/"+escapePointer(field)+pointer, fault))
	}
	return fault == ""
}

// within is an object or an array that is being read.
type within struct {
	names map[string]bool // of the members so far; nil: it is an array
	name  string          // of the member that is being read
	named bool            // its value comes next
	item  int             // in an array: of the item that comes next
}

// repeatedWithin finds the first repeated name at any depth of a valid value, or the first
// object or array that is nested too deeply, in one pass. The pointer leads from the value to
// the place of the fault; an empty fault: there is none.
func repeatedWithin(raw []byte) (pointer, fault string) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // a number of any size is valid
	var open []within
	at := func() (pointer string) {
		for _, w := range open {
			if w.names == nil {
				pointer += "/" + strconv.Itoa(w.item)
			} else {
				pointer += "/" + escapePointer(w.name)
			}
		}
		return pointer
	}
	for {
		token, err := decoder.Token()
		if err != nil { // the end
			return "", ""
		}
		if last := len(open) - 1; last >= 0 && open[last].names != nil && !open[last].named && token != json.Delim('}') {
			w := &open[last]
			w.name, w.named = token.(string), true
			if w.names[w.name] {
				return at(), repeatedFault(w.name)
			}
			w.names[w.name] = true
			continue
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if len(open) == maxDepth {
				return at(), fmt.Sprintf("this is nested more than %d deep", maxDepth)
			}
			next := within{}
			if token == json.Delim('{') {
				next.names = map[string]bool{}
			}
			open = append(open, next)
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if last := len(open) - 1; last >= 0 { // a value is complete
			open[last].named = false
			open[last].item++
		}
	}
}

// repeatedFault is the detail of a fault about a repeated name.
func repeatedFault(name string) string {
	return fmt.Sprintf("duplicate key %q", shorten(name))
}

// Fault adds a fault of a field; the name "" is the object itself.
func (f *Object) Fault(name, detail string) {
	pointer := f.At
	if name != "" {
		pointer += "/" + escapePointer(name)
	}
	f.Faults = append(f.Faults, problem.At(pointer, detail))
}

// ItemFault adds a fault of one item of an array.
func (f *Object) ItemFault(name string, item int, detail string) {
	f.Faults = append(f.Faults, problem.At(f.At+"/"+escapePointer(name)+"/"+strconv.Itoa(item), detail))
}

// escapePointer escapes a name for use in a JSON pointer.
func escapePointer(name string) string {
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

// Done reports all faults, unknown fields included.
func (f *Object) Done() error {
	for _, name := range unknown(f.Values, f.Taken) {
		if len(f.Faults) < maxFaults {
			f.Fault(name, "unknown field; "+allowed(f.Taken))
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
func allowed(taken []string) string {
	if len(taken) == 0 {
		return "this request takes no fields"
	}
	return "allowed: " + strings.Join(slices.Compact(slices.Sorted(slices.Values(taken))), ", ")
}
