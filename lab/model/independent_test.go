package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

// The model reads the declarations of a game and computes everything else itself. A model
// that agreed with the product by asking it would prove nothing.
func TestTheModelAsksTheProductForNoRule(t *testing.T) {
	rules := map[string]bool{}
	for _, declared := range []any{
		&game.Mode{}, game.XPRule{}, game.StreakRule{},
		duel.Rules{},
		&activity.Rules{}, &activity.EventRule{}, &activity.Pillar{}, activity.Overall{},
	} {
		for m := range reflect.TypeOf(declared).Methods() {
			rules[m.Name] = true
		}
	}
	delete(rules, "None") // it only says whether a mode gives XP
	require.Contains(t, rules, "Encode")
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		for _, i := range parsed.Imports {
			if _, own, ours := strings.Cut(strings.Trim(i.Path.Value, `"`), "framedle/leaderboards/"); ours {
				require.Contains(t, []string{
					"internal/game",
					"internal/feature/activity", // its declarations
					"internal/platform/progress",
				}, own, file)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if of, ok := call.Fun.(*ast.SelectorExpr); ok {
					require.NotContains(t, rules, of.Sel.Name, file)
				}
			}
			return true
		})
	}
}
