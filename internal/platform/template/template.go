package template

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

const samTransform = "AWS::Serverless-2016-10-31"

// Template is the content of a SAM template, in the order of the file.
type Template struct {
	Parameters []Parameter
	Functions  []Function
	// Resources are all resources, including functions, for checks that look at everything.
	Resources []Resource
}

// Parameter is a value to be given at deployment.
type Parameter struct {
	Name           string
	Type           string
	Default        string // empty also where the parameter has none
	HasDefault     bool
	AllowedPattern string
	AllowedValues  []string
	Min, Max       string // bounds of a number; empty where the parameter has none
	Wanted         string // ConstraintDescription
	Description    string
	NoEcho         bool
	Line           int
}

// Resource is any resource of the template.
type Resource struct {
	LogicalID string
	Type      string
	Line      int
	Condition string // under which it exists; empty: always
	// Retained says that the resource outlives its stack and its replacement.
	Retained bool
	// Properties consists of map[string]any, []any and string. An intrinsic function of a
	// scalar is a string in short form, "!Ref Name"; of anything else it is a map with
	// the one key "!Name".
	Properties map[string]any
}

// Parse reads a SAM template. Errors name the line and what would be right.
func Parse(data []byte) (*Template, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("template: the file is empty: want an AWS SAM template")
	}
	root, err := fieldsOf(doc.Content[0], "the template")
	if err != nil {
		return nil, err
	}
	if got := root.text("Transform"); got != samTransform {
		return nil, errorAt(root.node, "Transform is %q: want %s", got, samTransform)
	}
	t := &Template{}
	if err := t.readParameters(root); err != nil {
		return nil, err
	}
	if err := t.readResources(root); err != nil {
		return nil, err
	}
	if len(t.Functions) == 0 {
		return nil, errorAt(root.node, "Resources declares no AWS::Serverless::Function: want at least one")
	}
	return t, nil
}

// Function returns the function of that name, which is the name of its folder under
// functions/, and whether it exists.
func (t *Template) Function(name string) (Function, bool) {
	for _, f := range t.Functions {
		if f.Name == name {
			return f, true
		}
	}
	return Function{}, false
}

func (t *Template) readParameters(root fields) error {
	section, err := root.fields("Parameters")
	if err != nil {
		return err
	}
	for _, name := range section.names {
		f, err := section.fields(name)
		if err != nil {
			return err
		}
		_, hasDefault := f.values["Default"]
		t.Parameters = append(t.Parameters, Parameter{
			Name:           name,
			Type:           f.text("Type"),
			Default:        f.text("Default"),
			HasDefault:     hasDefault,
			AllowedPattern: f.text("AllowedPattern"),
			AllowedValues:  f.texts("AllowedValues"),
			Min:            f.text("MinValue"),
			Max:            f.text("MaxValue"),
			Wanted:         f.text("ConstraintDescription"),
			Description:    f.text("Description"),
			NoEcho:         f.text("NoEcho") == "true",
			Line:           f.node.Line,
		})
	}
	return nil
}

func (t *Template) readResources(root fields) error {
	globals, err := root.fields("Globals", "Function")
	if err != nil {
		return err
	}
	section, err := root.fields("Resources")
	if err != nil {
		return err
	}
	for _, id := range section.names {
		f, err := section.fields(id)
		if err != nil {
			return err
		}
		properties, err := f.fields("Properties")
		if err != nil {
			return err
		}
		plainProperties, err := properties.plain()
		if err != nil {
			return err
		}
		t.Resources = append(t.Resources, Resource{
			LogicalID: id, Type: f.text("Type"), Line: f.node.Line, Properties: plainProperties, Condition: f.text("Condition"),
			Retained: f.text("DeletionPolicy") == "Retain" && f.text("UpdateReplacePolicy") == "Retain",
		})
		if f.text("Type") != "AWS::Serverless::Function" {
			continue
		}
		fn, err := t.readFunction(id, f, properties, globals)
		if err != nil {
			return err
		}
		t.Functions = append(t.Functions, fn)
	}
	return nil
}

// resolve replaces a reference to a parameter by the parameter's default.
func (t *Template) resolve(value string) string {
	name, isRef := strings.CutPrefix(value, "!Ref ")
	if !isRef {
		return value
	}
	for _, p := range t.Parameters {
		if p.Name == name && p.HasDefault {
			return p.Default
		}
	}
	return value
}
