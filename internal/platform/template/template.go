package template

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
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

// Check returns why CloudFormation would refuse a value of a parameter, and which values it
// takes; nil if it takes the value. The error does not contain the value, which may be a
// secret.
func (p Parameter) Check(value string) error {
	if p.Type == "CommaDelimitedList" {
		for item := range strings.SplitSeq(value, ",") {
			if !p.takes(strings.TrimSpace(item)) {
				return fmt.Errorf("want %s", p.Wanted)
			}
		}
		return nil
	}
	switch n, err := strconv.Atoi(value); {
	case len(p.AllowedValues) > 0 && !slices.Contains(p.AllowedValues, value):
		return fmt.Errorf("want one of %s", strings.Join(p.AllowedValues, ", "))
	case p.Type != "Number":
	case err != nil, p.Min != "" && n < atoi(p.Min), p.Max != "" && n > atoi(p.Max):
		return fmt.Errorf("want a whole number%s%s", prefixed(" from ", p.Min), prefixed(" to ", p.Max))
	}
	if !p.takes(value) {
		return fmt.Errorf("want %s", p.Wanted)
	}
	return nil
}

func (p Parameter) takes(value string) bool {
	pattern, err := regexp.Compile(p.AllowedPattern)
	return err == nil && pattern.MatchString(value)
}

// atoi reads a bound; a test makes sure that every bound is a number.
func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// Setting is the name of the parameter's setting: CLERK_ISSUER for ClerkIssuer.
func (p Parameter) Setting() string {
	var b strings.Builder
	for i, c := range p.Name {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return strings.ToUpper(b.String())
}

// Gateway sends each request to the function of its route, as a deployment's HTTP API does: it
// cleans no path, and a request without a route goes to the function with $default. Functions
// that are not in the map have no routes.
func (t *Template) Gateway(functions map[string]http.Handler) http.Handler {
	routes, stray := http.NewServeMux(), http.NotFoundHandler()
	for _, f := range t.Functions {
		h := functions[f.Name]
		if h == nil {
			continue
		}
		for _, route := range f.Routes {
			if route.Path == "$default" {
				stray = h
				continue
			}
			routes.Handle(route.Pattern(), h)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) == r.URL.Path { // ServeMux would redirect others
			if _, pattern := routes.Handler(r); pattern != "" {
				routes.ServeHTTP(w, r)
				return
			}
		}
		stray.ServeHTTP(w, r)
	})
}
