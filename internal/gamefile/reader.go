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

// reader makes a game of one file, section by section.
type reader struct{ nodes }

// nodes reads the values that sections are made of.
type nodes struct{ findings }

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

// value is a node and the path under which problems with it are reported. A
// nil node is a key that the file leaves out.
type value struct {
	node *yaml.Node
	path string
}

// at is the path of a key of v. A key that does not look like one is quoted.
func (v value) at(key string) string {
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

func (r *findings) wrongType(v value, want string) {
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
	r.add(v.node.Line, v.path, problem, want)
}

// entries are the keys and values of a mapping in file order. Repeated keys
// and keys that are not text are reported and left out.
func (r *nodes) entries(v value) (keys []string, values []value) {
	if v.node == nil {
		return nil, nil
	}
	if v.node.Kind != yaml.MappingNode {
		r.wrongType(v, "use keys and values")
		return nil, nil
	}
	seen := make(map[string]int, len(v.node.Content)/2)
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key, node := v.node.Content[i], v.node.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			r.add(key.Line, v.path, "a key is not plain text", "use one of the documented keys")
			continue
		}
		path := v.at(key.Value)
		if first, dup := seen[key.Value]; dup {
			r.add(key.Line, path, fmt.Sprintf("the key stands in line %d already", first), "keep one of them")
			continue
		}
		seen[key.Value] = key.Line
		r.lines[path] = key.Line
		keys = append(keys, key.Value)
		values = append(values, value{node, path})
	}
	return keys, values
}

// section is a mapping whose keys are known.
type section struct {
	at     value
	values map[string]value
}

func (r *nodes) section(v value, known ...string) section {
	s := section{at: v}
	keys, values := r.entries(v)
	s.values = make(map[string]value, len(keys))
	for i, key := range keys {
		if !slices.Contains(known, key) {
			r.add(r.lines[values[i].path], values[i].path, "the key is unknown", "use "+alternatives(known))
			continue
		}
		s.values[key] = values[i]
	}
	return s
}

// field is the value of a key, with a nil node if the file leaves it out.
func (s section) field(key string) value {
	if v, ok := s.values[key]; ok {
		return v
	}
	return value{nil, s.at.at(key)}
}

// missing reports a key that a mapping must have, at the mapping's own line.
func (r *findings) missing(v value, want string) {
	parent := v.path[:max(strings.LastIndexByte(v.path, '.'), 0)]
	r.add(r.lines[parent], v.path, "it is missing", want)
}

func alternatives(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
