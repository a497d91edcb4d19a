package api_test

import (
	"go/ast"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/auth"
)

func TestEveryKindOfProblemIsExplained(t *testing.T) {
	text, err := os.ReadFile("../../docs/problems.md")
	require.NoError(t, err)
	var explained, kinds []string
	for _, heading := range regexp.MustCompile(`(?m)^## ([a-z-]+)$`).FindAllStringSubmatch(string(text), -1) {
		explained = append(explained, heading[1])
	}
	for kind, title := range api.ProblemTitles() {
		kinds = append(kinds, kind)
		require.NotEmpty(t, title)
	}
	require.ElementsMatch(t, kinds, explained)
}

// The first word of each explanation is the status that problems of the kind have.
func TestEveryKindOfProblemIsExplainedWithItsStatus(t *testing.T) {
	text, err := os.ReadFile("../../docs/problems.md")
	require.NoError(t, err)
	explained := map[string]int{}
	for _, heading := range regexp.MustCompile(`(?m)^## ([a-z-]+)\n\n\*\*(\d{3})\b`).FindAllStringSubmatch(string(text), -1) {
		explained[heading[1]], err = strconv.Atoi(heading[2])
		require.NoError(t, err)
	}
	require.Equal(t, api.ProblemStatuses(), explained)
}

// Whoever looks for what is answered when something goes wrong looks in one file.
func TestProblemsAreMadeInOneFile(t *testing.T) {
	made := map[string]int{}
	used := map[string]bool{}
	makers := []string{"newProblem", "as", "saying"} // the kind is what they are given first
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "problem" {
					made[name]++
				}
			case *ast.CallExpr:
				if maker, ok := n.Fun.(*ast.Ident); ok && slices.Contains(makers, maker.Name) {
					made[name]++
					if kind, constant := n.Args[0].(*ast.BasicLit); constant {
						word, err := strconv.Unquote(kind.Value)
						require.NoError(t, err)
						used[word] = true
					}
				}
			}
			return true
		})
	}
	require.Equal(t, []string{"problem.go"}, slices.Collect(maps.Keys(made)))
	require.ElementsMatch(t, slices.Collect(maps.Keys(api.ProblemTitles())), slices.Collect(maps.Keys(used)), "each kind is made, and no other")
}

func TestTheSignatureInTheGuideIsGood(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.md")
	require.NoError(t, err)
	found := regexp.MustCompile("under the key `([^`]+)`, at the time (\\d+), `([A-Z]+)` to `([^`]+)` with the body `([^`]+)` has the signature `([0-9a-f]+)`").FindStringSubmatch(string(text))
	require.Len(t, found, 7)
	at, err := strconv.ParseInt(found[2], 10, 64)
	require.NoError(t, err)
	require.Equal(t, "t="+found[2]+",v2="+found[6], auth.SignRequest(found[1], time.Unix(at, 0), auth.Request{Method: found[3], Path: found[4], Body: []byte(found[5])}))
}

// Links into the explanation must have the form that a heading's anchor has.
func TestProblemTypesAreAnchors(t *testing.T) {
	require.Regexp(t, `^https://[^#]+/docs/problems\.md#$`, api.ProblemBase)
}
