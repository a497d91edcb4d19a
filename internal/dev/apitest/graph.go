package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/api/queries"
	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/feature/graph/engine"
	"github.com/framedle/leaderboards/internal/product/app"
)

const GraphPath = "/graphql"

// Asks is a query of a graph.
func Asks(query string) Call { return AsksWith(query, nil) }

func AsksWith(query string, variables map[string]any) Call {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		panic(err)
	}
	return Post(GraphPath, string(body))
}

// GraphAnswer is what a graph answers.
type GraphAnswer struct {
	Data   json.RawMessage
	Errors []GraphError
}

type GraphError struct {
	Message    string
	Locations  json.RawMessage
	Path       json.RawMessage
	Extensions struct {
		Code       string
		Status     int
		RetryAfter int `json:"retry_after"`
	}
}

// Graphed sends a query that is answered whole.
func (s *Stack) Graphed(c Call) string {
	s.Helper()
	a := s.Want(http.StatusOK, c)
	var got GraphAnswer
	a.Into(s, &got)
	require.Empty(s, got.Errors, "%s", c.Body)
	return string(got.Data)
}

// Ungraphed sends a query that is refused, and that costs nothing.
func (s *Stack) Ungraphed(c Call) GraphError {
	s.Helper()
	var got GraphAnswer
	commands, _ := s.Spent(func() { s.Want(http.StatusBadRequest, c).Into(s, &got) })
	require.Zero(s, commands, "%.200s", c.Body)
	require.NotEmpty(s, got.Errors, "%.200s", c.Body)
	require.Nil(s, got.Data)
	return got.Errors[0]
}

// KeptQuery asks a query that the deployment keeps.
func KeptQuery(file, variables string) Call {
	text, err := queries.Files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return Get(GraphPath + "?hash=" + engine.Hash(string(text)) + "&variables=" + url.QueryEscape(variables))
}

// serveGraph adds a graph to the process that is made with all.
func (s *Stack) serveGraph(all *app.API, of *app.Services) {
	made, err := engine.New(engine.Options{})
	require.NoError(s, err)
	s.Planned = &Planned{Engine: made}
	s.GraphOf = func(g graph.Engine) http.Handler {
		with := *of
		with.Graph = g
		return all.Function("graphql", with)
	}
	of.Graph = s.Planned
}

// WithoutGraph is a process that serves no GraphQL, or, given queries, one that keeps them.
func (s *Stack) WithoutGraph(kept ...string) http.Handler {
	functions := s.Functions()
	if len(kept) == 0 {
		functions["graphql"] = s.GraphOf(nil)
		return s.Served(functions)
	}
	files := fstest.MapFS{}
	for i, text := range kept {
		files[fmt.Sprint(i, ".graphql")] = &fstest.MapFile{Data: []byte(text)}
	}
	engine, err := engine.New(engine.Options{Queries: files})
	require.NoError(s, err)
	functions["graphql"] = s.GraphOf(engine)
	return s.Served(functions)
}

// Planned is a graph that remembers what the last query was to cost.
type Planned struct {
	graph.Engine
	Price int
}

func (p *Planned) Answer(ctx context.Context, reads *graph.Reads, q graph.Query) (graph.Answer, error) {
	answer, err := p.Engine.Answer(ctx, reads, q)
	p.Price = reads.Price()
	return answer, err
}
