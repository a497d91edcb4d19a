package graph_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/feature/graph/engine"
)

// The page about GraphQL has the schema that is served, bounds that hold, and examples that
// are answered.
func TestThePageAboutGraphQLIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../../docs/build/graphql.md")
	require.NoError(t, err)
	page := string(text)
	require.Contains(t, page, "```graphql\n"+strings.TrimSpace(engine.Schema)+"\n```")
	for _, row := range []string{
		fmt.Sprintf("| %d KiB; 16 KiB |", graph.QueryBytes>>10), fmt.Sprintf("| levels | %d |", graph.MostDepth), fmt.Sprintf("aliases and fragments | %d |", graph.MostFields),
		fmt.Sprintf("| `first`, and `ids` | %d |", graph.MostRows), fmt.Sprintf("| `first` of duels | %d |", graph.MostDuels), fmt.Sprintf("| **%d** |", graph.MostCommands),
	} {
		require.Contains(t, page, row)
	}

	s := apitest.NewStack(t)
	s.Keep()
	s.Want(http.StatusOK, apitest.Asked("user_b", "user_a", apitest.Post(apitest.RequestsPath+"/user_b/accept", ""))(s))
	s.Play("user_a", "daily", "500")
	examples := regexp.MustCompile("(?s)```graphql\n(.*?)```").FindAllStringSubmatch(page, -1)
	asked := 0
	for _, example := range examples {
		if strings.HasPrefix(example[1], "schema") {
			continue
		}
		asked++
		data := s.Graphed(s.As("user_a", apitest.AsksWith(strings.ReplaceAll(example[1], "daily_frame", "daily"), map[string]any{"mode": "daily"})))
		require.NotContains(t, data, `"board":null`)
	}
	require.Equal(t, 3, asked)
}

// All cards of a page are one look-up, however long the page.
func TestCardsOfAPageAreLookedUpAtOnce(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Stop()
	for i := range 40 {
		s.Play(fmt.Sprint("user_", i), "daily", fmt.Sprint(100+i))
	}
	query := apitest.Asks(`{ board(mode: "daily", first: 40) { entries { player { a: card(mode: "longest") { rank } b: card(mode: "longest") { score } } } } }`)
	s.Graphed(query)
	commands, trips := s.Spent(func() { s.Graphed(query) })
	require.EqualValues(t, 1, commands)
	require.EqualValues(t, 1, trips)
}

// A tool may learn the schema where the deployment lets it.
func TestTheSchemaIsToldWhereItMayBe(t *testing.T) {
	s := apitest.NewStack(t)
	engine, err := engine.New(engine.Options{Introspection: true})
	require.NoError(t, err)
	functions := s.Functions()
	functions["graphql"] = s.GraphOf(engine)
	s.Handler = s.Served(functions)
	types := `fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }`
	commands, _ := s.Spent(func() {
		require.Contains(t, s.Graphed(apitest.Asks(`{ __schema { queryType { name } types { kind name fields { name args { name type { ...T } } type { ...T } } } } } `+types)), `"name":"ListCard"`)
	})
	require.Zero(t, commands)
	// Whatever is asked of the schema, the answer is all of it, so that no query for it costs more
	// than another.
	whole := s.Graphed(apitest.Asks(`{ __schema { types { name } } }`))
	var aliases strings.Builder
	for i := range 90 {
		fmt.Fprintf(&aliases, "a%d: __schema { types { fields { type { fields { name type { name } } } } } } ", i)
	}
	require.Equal(t, whole, s.Graphed(apitest.Asks(`{ `+aliases.String()+` }`)))
	require.Contains(t, s.Ungraphed(apitest.Asks(`{ __type(name: "Board") { name } }`)).Message, "query __schema")
	require.JSONEq(t, `{"players":[{"id":"a__b","__typename":"Player"}]}`, s.Graphed(apitest.Asks(`{ players(ids: ["a__b"]) { id __typename } }`)))
}
