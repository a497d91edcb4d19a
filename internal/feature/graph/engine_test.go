package graph_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/graph"
)

func TestTheSchemaFitsItsResolvers(t *testing.T) {
	_, err := graph.New(graph.Options{Introspection: true})
	require.NoError(t, err)
}

func TestAKeptQueryThatIsNotValidIsToldAtTheStart(t *testing.T) {
	_, err := graph.New(graph.Options{Queries: fstest.MapFS{"wrong.graphql": {Data: []byte(`{ bord(mode: "x") { total } }`)}}})
	require.ErrorContains(t, err, "wrong.graphql")
	require.ErrorContains(t, err, "bord")
}
