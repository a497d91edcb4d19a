package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scans finds commands that walk the whole key space, in Go and in Lua.
var scans = regexp.MustCompile(`^(SCAN|KEYS|RANDOMKEY)$|(?i:call)\(\s*['"](?i:scan|keys|randomkey)['"]`)

// Nothing in the product walks through all keys: the cost of that grows with all that
// Redis stores. The client and the local server know the commands' names and send none.
// The laboratory reads a whole Redis of its own, and nothing links it. Package move
// copies a whole Redis for lbctl, and a test of its own keeps it out of every function. A
// caller of the client's [upstash.ScanKeys] would walk through all keys, too.
func TestNothingInTheProductWalksTheKeySpace(t *testing.T) {
	require.Regexp(t, scans, "SCAN")
	require.Regexp(t, scans, "local all = redis.call('KEYS', '*')")
	require.NotRegexp(t, scans, "HSCAN")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	files, callers := 0, []string(nil)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == filepath.Join(root, "upstash"), path == filepath.Join(root, "lab"), path == filepath.Join(root, "internal", "feature", "move"), path == filepath.Join(root, "internal", "dev", "apitest"), entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != root:
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if named, ok := n.(*ast.SelectorExpr); ok && named.Sel.Name == "ScanKeys" {
				callers = append(callers, filepath.Base(path))
			}
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				require.NotRegexp(t, scans, text, "%s", set.Position(literal.Pos()))
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 200)
	require.Empty(t, callers)
}
