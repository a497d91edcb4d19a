package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostMethods is how many methods a type of the product may have. A type with more of
// them does several jobs, which belong to smaller types.
const mostMethods = 20

func TestNoTypeHasMoreThanTwentyMethods(t *testing.T) {
	methods := map[string]int{}
	for _, folder := range []string{"internal", "functions", "cmd"} {
		countMethods(t, folder, methods)
	}
	require.Greater(t, len(methods), 300, "types that have methods")
	for name, n := range methods {
		require.LessOrEqual(t, n, mostMethods, "%s has %d methods: move those that belong together onto a smaller type", name, n)
	}
}

// countMethods counts the methods of each type below a folder of the module, by the
// type's path and name. It leaves out tests and packages for tests.
func countMethods(t *testing.T, folder string, methods map[string]int) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		within = filepath.ToSlash(within)
		if entry.IsDir() {
			if slices.Contains(testKits, strings.TrimPrefix(within, "internal/")) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[filepath.ToSlash(filepath.Dir(within))+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
		return nil
	})
	require.NoError(t, err)
}

// receiver returns the name of a method's type, without pointer and type parameters.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.ParenExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
