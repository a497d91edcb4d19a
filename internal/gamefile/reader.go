package gamefile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/framedle/leaderboards/internal/game"
)

// findings collects what is wrong with a file.
type findings struct {
	file  string
	found []*Error
	lines map[string]int  // the line of each path
	bad   map[string]bool // paths that could not be read
	fatal bool            // nothing was read: rules about the game mean nothing
}

func (r *findings) add(line int, path, problem, want string) {
	r.found = append(r.found, &Error{File: r.file, Line: line, Path: path, Problem: problem, Want: want})
	r.bad[path] = true
}

// addRule reports a broken rule at the line of its path, or of the nearest enclosing one,
// unless the rule depends on a value that could not be read.
func (r *findings) addRule(p game.Problem) {
	for _, path := range append([]string{p.Path}, p.With...) {
		if r.bad[path] {
			return
		}
	}
	line := 0
	for path := p.Path; line == 0 && path != ""; path = path[:max(strings.LastIndexAny(path, ".["), 0)] {
		line = r.lines[path]
	}
	r.found = append(r.found, &Error{File: r.file, Line: line, Path: p.Path, Problem: p.Problem, Want: p.Want})
}

func (r *findings) joined() error {
	slices.SortStableFunc(r.found, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	all := make([]error, len(r.found))
	for i, e := range r.found {
		all[i] = e
	}
	return errors.Join(all...)
}

// Value is what the file has for a key, and the path under which problems with it are
// reported.
type Value struct {
	*findings
	key  *Key
	node *yaml.Node // nil if the file leaves the key out
	path string
}

// Given reports whether the file has the key.
func (v Value) Given() bool { return v.node != nil }

// Is reports whether the file has this word for the key.
func (v Value) Is(word string) bool { return v.Given() && v.node.Value == word }

// IsText reports whether the value is a text.
func (v Value) IsText() bool { return v.Given() && v.node.ShortTag() == "!!str" }

// Void keeps rules about the value from being reported, because it could not be understood.
func (v Value) Void() { v.bad[v.path] = true }

// ShortFor says that the value is short for a mapping with one key alone, so that problems with
// the key are reported as the value's.
func (v Value) ShortFor(key string) {
	v.lines[v.path+"."+key], v.bad[v.path+"."+key] = v.node.Line, v.bad[v.path]
}

// Bad reports whether something is wrong with the value.
func (v Value) Bad() bool { return v.bad[v.path] }

// IsMapping reports whether the value has keys.
func (v Value) IsMapping() bool { return v.Given() && v.node.Kind == yaml.MappingNode }

// Report adds a problem with the value, which is given.
func (v Value) Report(problem, want string) { v.add(v.node.Line, v.path, problem, want) }

// ReportAtKey adds a problem at the line of the value's key.
func (v Value) ReportAtKey(problem, want string) { v.add(v.lines[v.path], v.path, problem, want) }

// Missing reports a key that a mapping must have, at the mapping's own line.
func (v Value) Missing(want string) {
	parent := v.path[:max(strings.LastIndexByte(v.path, '.'), 0)]
	v.add(v.lines[parent], v.path, "it is missing", want)
}

// at is the path of a key of v. A key that does not look like one is quoted.
func (v Value) at(key string) string {
	if key == "" || len(key) > longestKey || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		key = fmt.Sprintf("%.*q", longestKey, key)
	}
	if v.path == "" {
		return key
	}
	return v.path + "." + key
}

// longestKey is how many bytes of a key a report shows at most.
const longestKey = 80

// WrongType reports that the value is of another type than wanted.
func (v Value) WrongType(want string) {
	problem := fmt.Sprintf("%.40q is not of the right type", v.node.Value)
	switch {
	case v.node.Kind == yaml.MappingNode:
		problem = "this is a mapping"
	case v.node.Kind == yaml.SequenceNode:
		problem = "this is a list"
	case v.node.ShortTag() == "!!null":
		problem = "there is no value"
	case v.node.ShortTag() == "!!str":
		problem = fmt.Sprintf("%.40q is text", v.node.Value)
	case v.node.ShortTag() == "!!bool":
		problem = v.node.Value + " is a truth value"
	case v.node.ShortTag() == "!!int" || v.node.ShortTag() == "!!float":
		problem = fmt.Sprintf("%.40s is a number", v.node.Value)
	}
	v.Report(problem, want)
}

// Entries are the keys and values of a mapping in file order. Repeated keys
// and keys that are not text are reported and left out.
func (v Value) Entries() (names []string, values []Value) {
	if !v.Given() {
		return nil, nil
	}
	if !v.IsMapping() {
		v.WrongType("use keys and values")
		return nil, nil
	}
	of := v.key.as(Table).Of
	seen := make(map[string]int, len(v.node.Content)/2)
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		name, node := v.node.Content[i], v.node.Content[i+1]
		if name.Kind != yaml.ScalarNode {
			v.add(name.Line, v.path, "a key is not plain text", "use one of the documented keys")
			continue
		}
		path := v.at(name.Value)
		if first, dup := seen[name.Value]; dup {
			v.add(name.Line, path, fmt.Sprintf("the key is in line %d already", first), "keep one of them")
			continue
		}
		seen[name.Value] = name.Line
		v.lines[path] = name.Line
		names = append(names, name.Value)
		values = append(values, Value{v.findings, of, node, path})
	}
	return names, values
}

// Items are the values of a list.
func (v Value) Items() []Value {
	if !v.Given() {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		v.WrongType(v.key.Advice)
		return nil
	}
	items := make([]Value, len(v.node.Content))
	for i, node := range v.node.Content {
		items[i] = Value{v.findings, v.key.Of, node, fmt.Sprintf("%s[%d]", v.path, i)}
		v.lines[items[i].path] = node.Line
	}
	return items
}

// Each reads the items of a list, which is not whole if one of them cannot be read.
func Each[T any](v Value, read func(Value) T) (all []T) {
	for _, item := range v.Items() {
		if all = append(all, read(item)); v.bad[item.path] {
			v.bad[v.path] = true
		}
	}
	return all
}

// Fields are the values of a mapping whose keys are known.
type Fields struct {
	at     Value
	values map[string]Value
}

// Fields reports keys that are unknown, and those that are missing.
func (v Value) Fields() Fields {
	v.key = v.key.as(Mapping)
	f := Fields{at: v}
	names, values := v.Entries()
	f.values = make(map[string]Value, len(names))
	for i, name := range names {
		k := v.key.field(name)
		if k == nil {
			known, problem := v.key.names(), "the key is unknown"
			if near := nearest(name, known); near != "" && len(known) > 1 {
				problem += " (did you mean " + near + "?)"
			}
			v.add(v.lines[values[i].path], values[i].path, problem, "use "+alternatives(known))
			continue
		}
		values[i].key = k
		f.values[name] = values[i]
	}
	if v.IsMapping() || v.Given() && v.node.ShortTag() == "!!null" {
		for i := range v.key.Keys {
			k := &v.key.Keys[i]
			if k.Required != "" && !f.Field(k.Name).Given() && (k.Unless == "" || !f.Field(k.Unless).Given()) {
				f.Field(k.Name).Missing(k.Required)
			}
		}
	}
	return f
}

// Field is the value of a key, which the file may leave out.
func (f Fields) Field(name string) Value {
	if v, ok := f.values[name]; ok {
		return v
	}
	return Value{f.at.findings, f.at.key.field(name), nil, f.at.at(name)}
}

func alternatives(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
