package fields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// If an object has two members of one name, encoding/json takes the last one and other
// readers take the first. A request could then look like one thing and do another. All
// functions in this file expect valid JSON. They compare names after decoding their escapes.

// RepeatedFault is the detail of a fault about a repeated name.
func RepeatedFault(name string) string {
	return fmt.Sprintf("the name %q is there more than once; readers of JSON differ in which one counts", shorten(name))
}

// members counts the members of one object, without those of nested objects.
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

// RepeatedWithin finds a repeated name at any depth of a value without white space, and a
// JSON pointer from the value to the name's object. It reads each level again for every level
// above it, so values have to be small.
func RepeatedWithin(raw []byte) (pointer, name string, found bool) {
	switch raw[0] {
	case '{':
		var values map[string]json.RawMessage
		_ = json.Unmarshal(raw, &values)
		if members(raw) > len(values) {
			return "", repeatedName(raw), true
		}
		for _, member := range slices.Sorted(maps.Keys(values)) {
			if rest, name, found := RepeatedWithin(values[member]); found {
				return "/" + EscapePointer(member) + rest, name, true
			}
		}
	case '[':
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items)
		for i, item := range items {
			if rest, name, found := RepeatedWithin(item); found {
				return "/" + strconv.Itoa(i) + rest, name, true
			}
		}
	}
	return "", "", false
}
