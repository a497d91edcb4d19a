package functions_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The library for GraphQL is as large as a function. Functions that answer no queries do
// not link it, nor the stored queries.
func TestGraphQLIsWhereItIsServedAndNowhereElse(t *testing.T) {
	folders, err := os.ReadDir(".")
	require.NoError(t, err)
	var has []string
	for _, f := range folders {
		if f.IsDir() && slices.ContainsFunc(linked(t, f.Name()), func(path string) bool {
			return strings.HasPrefix(path, "github.com/graph-gophers/") || strings.HasSuffix(path, "/internal/feature/graph/engine") || strings.HasSuffix(path, "/api/queries")
		}) {
			has = append(has, f.Name())
		}
	}
	require.Equal(t, []string{"all", "graphql"}, has)
}
