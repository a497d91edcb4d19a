package auth_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// holders are the folders through whose hands the secrets go that callers
// present: the verifiers, and what makes them from the environment.
var holders = []string{".", "webhook", filepath.Join("..", "..", "product", "app")}

// knownComparisons are those of two values, neither of them a constant. None is
// of a secret with what a caller sends. A new one is to be thought about before
// it is added here.
var knownComparisons = []string{
	"key != strings.TrimSpace(key)",           // at the start
	"upstash.KindOf(err) == upstash.KindAuth", // what kind of error Redis answered with, at the start
	"at.Name == derive.MainDatabase",          // the name of a database, at the start
	"other.of.Name == one.of.Name",            // the name of an operator, at the start
	"other.of.Role != one.of.Role",            // an operator's role, at the start
	"who.Role == auth.Administer",             // the role of an operator whose token is valid
	"r.Function != name",                      // the function of a route, at the start
	"strconv.FormatInt(n, 10) == s",           // whether a time is written in its one form
}

// leaky are functions whose time depends on where two values differ.
var leaky = []string{
	"bytes.Equal", "bytes.Compare", "bytes.HasPrefix", "bytes.Contains", "bytes.EqualFold", "slices.Equal", "slices.Compare", "slices.Contains", "slices.Index",
	"strings.Compare", "strings.EqualFold", "strings.Contains", "reflect.DeepEqual", "cmp.Compare",
}

// source is the files of a folder that are not tests.
func source(t *testing.T, folder string) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".go") && !strings.HasSuffix(entry.Name(), "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, entry.Name()), nil, 0)
			require.NoError(t, err)
			files = append(files, file)
		}
	}
	require.NotEmpty(t, files)
	return files
}

// constants are the names that a folder declares as such.
func constants(files []*ast.File) map[string]bool {
	names := map[string]bool{"nil": true, "true": true, "false": true}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, spec := range d.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						names[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return names
}

func isConstant(e ast.Expr, names map[string]bool) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return names[e.Name]
	case *ast.BinaryExpr:
		return isConstant(e.X, names) && isConstant(e.Y, names)
	case *ast.SelectorExpr: // of another package
		_, ofPackage := e.X.(*ast.Ident)
		return ofPackage && e.Sel.IsExported() && (types.ExprString(e.X) == "http" || types.ExprString(e.X) == "sha256")
	}
	return false
}

// What takes a secret compares it in constant time: there is no other
// comparison through which it could go.
func TestSecretsAreComparedInConstantTimeOnly(t *testing.T) {
	compared := 0
	for _, folder := range holders {
		files := source(t, folder)
		names := constants(files)
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BinaryExpr:
					if n.Op == token.EQL || n.Op == token.NEQ {
						text := types.ExprString(n)
						require.True(t, isConstant(n.X, names) || isConstant(n.Y, names) || slices.Contains(knownComparisons, text),
							"%s: %s compares two values in a time that may tell where they differ: use subtle.ConstantTimeCompare for secrets, or add it to knownComparisons", folder, text)
					}
				case *ast.FuncDecl:
					if n.Body != nil && touchesSecret(n.Body) {
						compared += requireConstantTime(t, folder, n)
					}
				}
				return true
			})
		}
	}
	require.GreaterOrEqual(t, compared, 4, "signatures, webhooks, devices, the operator")
}

// touchesSecret tells of a function that handles a key or what is made of one.
func touchesSecret(body ast.Node) (touches bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			touches = touches || n.Sel.Name == "keys" || n.Sel.Name == "sums"
		case *ast.CallExpr:
			name, ok := n.Fun.(*ast.Ident)
			touches = touches || ok && name.Name == "mac"
		}
		return true
	})
	return touches
}

// requireConstantTime looks through such a function and tells how often it
// compares. A verdict must not come sooner for one key than for another one.
func requireConstantTime(t *testing.T, folder string, f *ast.FuncDecl) (compared int) {
	loops := 0
	var walk func(ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			loops++
			ast.Inspect(n.Body, walk)
			loops--
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			require.False(t, f.Name.Name == "Verify" && loops > 0, "%s: Verify leaves a loop before every key has met every signature", folder)
		case *ast.CallExpr:
			name := types.ExprString(n.Fun)
			require.NotContains(t, leaky, name, "%s: %s handles a secret", folder, f.Name.Name)
			if name == "subtle.ConstantTimeCompare" || name == "hmac.Equal" {
				compared++
			}
		}
		return true
	}
	ast.Inspect(f.Body, walk)
	require.True(t, f.Name.Name != "Verify" || compared > 0, "%s: Verify does not compare in constant time", folder)
	return compared
}
