package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wired are the parts of the product, by package below internal/ and by the name of what
// makes a part: a function, or the type itself.
var wired = map[string][]string{
	"api": {"New"}, "archive": {"Open"}, "lifecycle": {"New", "Removals"}, "platform/budget": {"New"}, "feature/device": {"Claims"},
	"feature/duel": {"New"}, "feature/friend": {"System", "NewCache"},
	"api/idempotency": {"New"}, "api/limit": {"New", "NewRedis"}, "lifecycle/playerdata": {"New"},
	"feature/queue": {"Ingest"}, "feature/clerk": {"NewGroups", "Roster"},
	"lifecycle/closing": {"Closing", "Sides"}, "platform/status": {"Reporter"}, "platform/usage": {"New", "NewCounters", "NewLedger"},
}

// wirers are the packages that put the parts together: one without Postgres, and one that
// may have it.
var wirers = []string{"internal/product/app", "internal/product/jobs"}

// imported returns the packages that a file imports, by their name in the file.
func imported(t *testing.T, file *ast.File) map[string]string {
	t.Helper()
	imports := map[string]string{}
	for _, i := range file.Imports {
		full, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		name := path.Base(full)
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = full
	}
	return imports
}

// makes lists the parts that a file makes, as package and name.
func makes(t *testing.T, file string, source []byte) (parts []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	imports := imported(t, parsed)
	ast.Inspect(parsed, func(n ast.Node) bool {
		var made ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			made = n.Fun
		case *ast.CompositeLit:
			made = n.Type
		}
		named, ok := made.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, ok := named.X.(*ast.Ident)
		if !ok {
			return true
		}
		own, ok := strings.CutPrefix(imports[of.Name], module+"/internal/")
		if !ok {
			return true
		}
		for _, name := range wired[own] {
			if named.Sel.Name == name {
				parts = append(parts, own+"."+name)
			}
		}
		return true
	})
	return parts
}

// The product is put together in one place. A deployment, a developer's machine and the
// laboratory all run the same product.
func TestTheProductIsWiredInOnePlace(t *testing.T) {
	found := map[string]bool{}
	root := os.DirFS("../..")
	for _, folder := range []string{"cmd", "functions", "internal", "lab"} {
		require.NoError(t, fs.WalkDir(root, folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") {
				return err
			}
			// Tests of a package may make its parts as they need them; the laboratory may
			// not.
			if strings.HasSuffix(file, "_test.go") && folder != "lab" {
				return nil
			}
			source, err := fs.ReadFile(root, file)
			if err != nil {
				return err
			}
			own := path.Dir(file)
			if slices.Contains(testKits, strings.TrimPrefix(own, "internal/")) {
				return nil
			}
			for _, part := range makes(t, file, source) {
				if own == wirers[0] || own == wirers[1] {
					found[part] = true
					continue
				}
				of, _, _ := strings.Cut(part, ".")
				require.Equal(t, "internal/"+of, own, "%s makes %s: ask package app or jobs for the product", file, part)
			}
			return nil
		}))
	}
	for of, names := range wired {
		for _, name := range names {
			require.True(t, found[of+"."+name], "nobody makes %s.%s: take it off the list", of, name)
		}
	}
}

func TestWhatIsMadeIsFoundUnderAnyName(t *testing.T) {
	source := `package x
import boards "` + module + `/internal/lifecycle"
import "` + module + `/internal/feature/device"
var a, b, c = boards.New(boards.Options{}), &device.Claims{}, other.New()`
	require.Equal(t, []string{"lifecycle.New", "feature/device.Claims"}, makes(t, "x.go", []byte(source)))
}
