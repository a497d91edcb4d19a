package template

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fields is a YAML mapping with unique keys. The zero value is empty.
type fields struct {
	node   *yaml.Node
	names  []string // in the order of the file
	values map[string]*yaml.Node
}

func errorAt(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("template: line %d: %s", n.Line, fmt.Sprintf(format, args...))
}

func fieldsOf(n *yaml.Node, what string) (fields, error) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return fields{node: n}, nil
	}
	if n.Kind != yaml.MappingNode || !strings.HasPrefix(n.ShortTag(), "!!") {
		return fields{}, errorAt(n, "%s is not a mapping of names to values", what)
	}
	f := fields{node: n, values: make(map[string]*yaml.Node, len(n.Content)/2)}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return fields{}, errorAt(key, "a name in %s is not plain text", what)
		}
		if _, twice := f.values[key.Value]; twice {
			return fields{}, errorAt(key, "%s is twice in %s", key.Value, what)
		}
		f.names = append(f.names, key.Value)
		f.values[key.Value] = n.Content[i+1]
	}
	return f, nil
}

// fields descends into mappings; a missing one is empty.
func (f fields) fields(path ...string) (fields, error) {
	for _, name := range path {
		child, ok := f.values[name]
		if !ok {
			return fields{}, nil
		}
		var err error
		if f, err = fieldsOf(child, name); err != nil {
			return fields{}, err
		}
	}
	return f, nil
}

// text returns a scalar, or an intrinsic function in its short form; "" if there is neither.
func (f fields) text(name string) string {
	n, ok := f.values[name]
	if !ok || n.Kind != yaml.ScalarNode {
		return ""
	}
	return scalar(n)
}

// texts returns a list of scalars, or nil.
func (f fields) texts(name string) []string {
	n, ok := f.values[name]
	if !ok || n.Kind != yaml.SequenceNode {
		return nil
	}
	var out []string
	for _, item := range n.Content {
		out = append(out, scalar(item))
	}
	return out
}

func (f fields) plain() (map[string]any, error) {
	out := make(map[string]any, len(f.names))
	for _, name := range f.names {
		value, err := plain(f.values[name])
		if err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}

// plain turns a node into maps, lists and strings, as Resource.Properties describes.
func plain(n *yaml.Node) (any, error) {
	tag, intrinsic := n.ShortTag(), !strings.HasPrefix(n.ShortTag(), "!!")
	switch n.Kind {
	case yaml.ScalarNode:
		return scalar(n), nil
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			value, err := plain(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		if intrinsic {
			return map[string]any{tag: list}, nil
		}
		return list, nil
	case yaml.MappingNode:
		untagged := *n
		untagged.Tag = "!!map"
		f, err := fieldsOf(&untagged, "a mapping")
		if err != nil {
			return nil, err
		}
		value, err := f.plain()
		if err != nil {
			return nil, err
		}
		if intrinsic {
			return map[string]any{tag: value}, nil
		}
		return value, nil
	default:
		return nil, errorAt(n, "anchors and aliases are not part of CloudFormation: write the value out")
	}
}

func scalar(n *yaml.Node) string {
	tag := n.ShortTag()
	switch {
	case n.Tag == "!!null":
		return ""
	case strings.HasPrefix(tag, "!!"):
		return n.Value
	default:
		return tag + " " + n.Value
	}
}
