package fields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// encoding/json takes the last of two members with one name where other readers
// take the first, so a request could be shown to be one thing and have the effect
// of another. Everything here expects JSON that is known to be valid. Names are
// compared as they read, whatever escapes they are written with.

// RepeatedFault is what is told of such a name.
func RepeatedFault(name string) string {
	return fmt.Sprintf("the name %q is there more than once; readers of JSON differ in which one counts", Shorten(name))
}

// members counts those of one object, without what lies deeper.
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

// repeatedName is the first name of an object that is there again, "" where none
// is.
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

// RepeatedWithin finds such a name at any depth of a value without white space,
// with a pointer to its object from there. What lies deep is read once for each
// level: the value is to be small.
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
