package engine_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/graph/engine"
)

func TestTheSchemaFitsItsResolvers(t *testing.T) {
	_, err := engine.New(engine.Options{Introspection: true})
	require.NoError(t, err)
}

func TestAKeptQueryThatIsNotValidIsToldAtTheStart(t *testing.T) {
	_, err := engine.New(engine.Options{Queries: fstest.MapFS{"wrong.graphql": {Data: []byte(`{ bord(mode: "x") { total } }`)}}})
	require.ErrorContains(t, err, "wrong.graphql")
	require.ErrorContains(t, err, "bord")
}
