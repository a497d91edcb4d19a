package problem_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	_ "github.com/framedle/leaderboards/internal/product/app" // kinds of all features
)

// The first word of each explanation is the status that problems of the kind have.
func TestEveryKindIsExplainedWithItsStatus(t *testing.T) {
	text, err := os.ReadFile("../../../docs/problems.md")
	require.NoError(t, err)
	explained, statuses := map[string]int{}, map[string]int{}
	for _, heading := range regexp.MustCompile(`(?m)^## ([a-z-]+)\n\n\*\*(\d{3})\b`).FindAllStringSubmatch(string(text), -1) {
		explained[heading[1]], err = strconv.Atoi(heading[2])
		require.NoError(t, err)
	}
	require.Len(t, regexp.MustCompile(`(?m)^## [a-z-]+$`).FindAllString(string(text), -1), len(explained), "a heading without a status")
	for name, kind := range problem.Kinds() {
		statuses[name] = kind.Status
		require.NotEmpty(t, kind.Title, name)
	}
	require.Equal(t, statuses, explained)
}

// What is asked for where there is no database is not always the log.
func TestOnlyTheLogPointsToTheFunctionsLogs(t *testing.T) {
	require.Contains(t, problem.Of(playerdata.ErrNoLog).Detail, "functions' logs")
	other := problem.Of(playerdata.ErrNoArchive)
	require.Equal(t, "no-database", other.Code)
	require.NotContains(t, other.Detail, "logs")
}

// Links into the explanation must have the form that a heading's anchor has.
func TestTypesAreAnchors(t *testing.T) {
	require.Regexp(t, `^https://[^#]+/docs/problems\.md#$`, problem.Base)
}

// Each kind is answered somewhere, and nobody answers another.
func TestEachKindIsMade(t *testing.T) {
	used := map[string]bool{}
	add := func(word ast.Expr) {
		if kind, constant := word.(*ast.BasicLit); constant {
			text, err := strconv.Unquote(kind.Value)
			require.NoError(t, err)
			used[text] = true
		}
	}
	inspect(t, "../..", func(file string, n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := fmt.Sprint(n.Fun); name == "&{problem New}" || name == "&{fault New}" || name == "New" && filepath.Dir(file) == "../../api/problem" {
				add(n.Args[0])
			}
		case *ast.CompositeLit:
			if fmt.Sprint(n.Type) == "&{fault Fault}" {
				for _, element := range n.Elts {
					if pair := element.(*ast.KeyValueExpr); fmt.Sprint(pair.Key) == "Code" {
						add(pair.Value)
					}
				}
			}
		}
	})
	used["temporarily-unavailable"] = true // by fault.Unavailable
	require.ElementsMatch(t, slices.Collect(maps.Keys(problem.Kinds())), slices.Collect(maps.Keys(used)), "each kind is made, and no other")
	inspect(t, "../..", func(file string, n ast.Node) {
		if made, ok := n.(*ast.CompositeLit); ok {
			kind, ok := made.Type.(*ast.SelectorExpr)
			require.False(t, ok && kind.Sel.Name == "Problem" && fmt.Sprint(kind.X) == "problem", file)
		}
	})
}

func inspect(t *testing.T, folder string, each func(file string, n ast.Node)) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			each(name, n)
			return true
		})
		return nil
	}))
	require.NotZero(t, files)
}
