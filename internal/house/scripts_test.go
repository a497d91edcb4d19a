package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// prelude is the file with the NewScript that makes every script of the product.
const prelude = "internal/redis/pipeline.go"

// uncounted finds calls of Redis in a script that do not go through the prelude's call.
var uncounted = regexp.MustCompile(`\bredis\s*(\.|\[\s*['"])\s*p?call\b`)

// byHand lists the places where a file makes a script, or lets one call Redis, without
// the prelude. Test files of a package are not the product.
func byHand(t *testing.T, file string, source []byte) (places []string) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	imports := imported(t, parsed)
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			if ok && n.Sel.Name == "NewScript" && imports[of.Name] == module+"/upstash" {
				places = append(places, set.Position(n.Pos()).String()+": NewScript")
			}
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(n.Value)
			require.NoError(t, err)
			if uncounted.MatchString(text) {
				places = append(places, set.Position(n.Pos()).String()+": redis.call")
			}
		}
		return true
	})
	return places
}

// Calls of scripts are billed, so one piece of Lua counts them for all scripts. Package
// move is excepted: it is in no function, and copies a Redis for lbctl by plain EVAL.
func TestEveryScriptIsCountedByThePrelude(t *testing.T) {
	root := os.DirFS("../..")
	users := 0
	for _, folder := range []string{"cmd", "functions", "internal"} {
		require.NoError(t, fs.WalkDir(root, folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			source, err := fs.ReadFile(root, file)
			if err != nil {
				return err
			}
			switch {
			case file == prelude:
				require.Len(t, byHand(t, file, source), 2, "one call to Redis, and one script made")
			case path.Dir(file) != "internal/feature/move":
				require.Empty(t, byHand(t, file, source), "make it with redis.NewScript")
			}
			users += strings.Count(string(source), "redis.NewScript(")
			return nil
		}))
	}
	require.Greater(t, users, 20)
}

func TestAScriptCountedByHandIsFoundUnderAnyName(t *testing.T) {
	source := `package x
import store "` + module + `/upstash"
import "` + module + `/internal/redis"
var a = store.NewScript("return {1, redis.pcall('GET', KEYS[1])}", nil)
var b = redis.NewScript("return answer(call('GET', KEYS[1]))")`
	require.Equal(t, []string{"x.go:4:9: NewScript", "x.go:4:25: redis.call"}, byHand(t, "x.go", []byte(source)))
}
