// Package fields reads the fields of a request, of its JSON object and of its query string,
// and collects everything that is wrong with them.
package fields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
	return "it ends too early"
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

// NamesOnce reports whether no name is there more than once at any depth of a field's value,
// which has no white space, and otherwise adds a fault.
func (f *Object) NamesOnce(field string, value []byte) bool {
	pointer, name, found := repeatedWithin(value)
	if found {
		f.Faults = append(f.Faults, problem.At(f.At+"/"+escapePointer(field)+pointer+"/"+escapePointer(name), repeatedFault(name)))
	}
	return !found
}

// repeatedWithin finds a repeated name at any depth of a value without white space, and a
// JSON pointer from the value to the name's object. It reads each level again for every level
// above it, so values have to be small.
func repeatedWithin(raw []byte) (pointer, name string, found bool) {
	switch raw[0] {
	case '{':
		var values map[string]json.RawMessage
		_ = json.Unmarshal(raw, &values)
		if members(raw) > len(values) {
			return "", repeatedName(raw), true
		}
		for _, member := range slices.Sorted(maps.Keys(values)) {
			if rest, name, found := repeatedWithin(values[member]); found {
				return "/" + escapePointer(member) + rest, name, true
			}
		}
	case '[':
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items)
		for i, item := range items {
			if rest, name, found := repeatedWithin(item); found {
				return "/" + strconv.Itoa(i) + rest, name, true
			}
		}
	}
	return "", "", false
}

// repeatedFault is the detail of a fault about a repeated name.
func repeatedFault(name string) string {
	return fmt.Sprintf("the name %q is there more than once; readers of JSON differ in which one counts", shorten(name))
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
