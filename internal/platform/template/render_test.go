package template_test

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rendered returns the properties of all resources as a deployment with these parameters
// has them. Values that only a deployment knows (attributes, physical names) are written
// with the logical id. All conditions are taken as true.
func rendered(t *testing.T, parameters map[string]string) map[string]map[string]any {
	t.Helper()
	values := map[string]string{"AWS::StackName": "game", "AWS::Region": "eu-west-1", "AWS::Partition": "aws", "AWS::AccountId": "123456789012", "AWS::URLSuffix": "amazonaws.com"}
	tmpl := project(t)
	for _, p := range tmpl.Parameters {
		values[p.Name] = p.Default
	}
	for name, value := range parameters {
		require.Contains(t, values, name, "no such parameter")
		values[name] = value
	}
	for _, r := range tmpl.Resources {
		values[r.LogicalID] = r.LogicalID
	}
	all := map[string]map[string]any{}
	for _, r := range tmpl.Resources {
		all[r.LogicalID] = render(t, r.Properties, values).(map[string]any)
	}
	return all
}

var placeholder = regexp.MustCompile(`\$\{([^}]+)\}`)

func render(t *testing.T, value any, values map[string]string) any {
	t.Helper()
	known := func(name string) string {
		resource, attribute, _ := strings.Cut(name, ".")
		v, ok := values[resource]
		require.True(t, ok, "%s is neither a parameter nor a resource", name)
		if attribute != "" {
			v += "." + attribute
		}
		return v
	}
	switch v := value.(type) {
	case map[string]any:
		if choice, ok := v["!If"].([]any); ok {
			return render(t, choice[1], values)
		}
		if parts, ok := v["!Sub"].([]any); ok {
			all := maps.Clone(values)
			for name, child := range parts[1].(map[string]any) {
				all[name] = render(t, child, values).(string)
			}
			return render(t, "!Sub "+parts[0].(string), all)
		}
		out := map[string]any{}
		for name, child := range v {
			out[name] = render(t, child, values)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			out[i] = render(t, child, values)
		}
		return out
	case string:
		intrinsic, text, _ := strings.Cut(v, " ")
		switch intrinsic {
		case "!Ref", "!GetAtt":
			return known(text)
		case "!Sub":
			return placeholder.ReplaceAllStringFunc(text, func(p string) string { return known(p[2 : len(p)-1]) })
		}
	}
	return value
}

// arithmetic computes the part of CloudWatch's metric math that alarms on budgets use:
// numbers, the four operations, parentheses, and names of metrics.
func arithmetic(t *testing.T, expression string, metrics map[string]float64) float64 {
	t.Helper()
	tokens := regexp.MustCompile(`[a-z]\w*|[0-9.]+|[-+*/()]`).FindAllString(expression, -1)
	require.Equal(t, strings.ReplaceAll(expression, " ", ""), strings.Join(tokens, ""), "not plain arithmetic")
	next := func() string {
		token := tokens[0]
		tokens = tokens[1:]
		return token
	}
	var sum func() float64
	operand := func() float64 {
		token := next()
		if token == "(" {
			v := sum()
			require.Equal(t, ")", next())
			return v
		}
		if v, ok := metrics[token]; ok {
			return v
		}
		v, err := strconv.ParseFloat(token, 64)
		require.NoError(t, err, expression)
		return v
	}
	chain := func(operand func() float64, apply map[string]func(a, b float64) float64) func() float64 {
		return func() float64 {
			v := operand()
			for len(tokens) > 0 && apply[tokens[0]] != nil {
				v = apply[next()](v, operand())
			}
			return v
		}
	}
	product := chain(operand, map[string]func(a, b float64) float64{
		"*": func(a, b float64) float64 { return a * b }, "/": func(a, b float64) float64 { return a / b },
	})
	sum = chain(product, map[string]func(a, b float64) float64{
		"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
	})
	v := sum()
	require.Empty(t, tokens, expression)
	return v
}

func TestArithmeticOfExpressions(t *testing.T) {
	for expression, want := range map[string]float64{"2 + 3 * 4": 14, "(2 + 3) * 4": 20, "100 * m / (62 / 31)": 350, "8 / 4 / 2 - 1": 0} {
		require.InDelta(t, want, arithmetic(t, expression, map[string]float64{"m": 7}), 1e-9, fmt.Sprint(expression))
	}
}
