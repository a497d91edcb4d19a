// Package engine answers GraphQL: it has the schema, its bounds, and resolvers that read what
// package graph lets it read. The same resolvers run each query twice: first to compute
// its price, without reading anything, and then for the answer. So the price is that of what
// runs.
//
// It must not know Redis, HTTP, or what anything costs. Only functions that serve GraphQL
// link it, because its library is as large as a function.
package engine

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"

	"github.com/framedle/leaderboards/api/queries"
	"github.com/framedle/leaderboards/internal/feature/graph"
)

// Schema is the schema of all queries.
//
//go:embed schema.graphql
var Schema string

// Engine answers queries. It is safe for concurrent use.
type Engine struct {
	schema *graphql.Schema
	inward []byte // the answer to queries about the schema itself; nil: they are refused
	kept   map[string]string
}

// Options say what New makes an Engine of.
type Options struct {
	Introspection bool  // whether queries about the schema itself are allowed
	Queries       fs.FS // the kept queries, one in a file; nil: those of api/queries
}

// parallelism is how many reads of one query run at once.
const parallelism = 4

// New makes an Engine. Its errors name the kept query that is invalid.
func New(o Options) (*Engine, error) {
	if o.Queries == nil {
		o.Queries = queries.Files
	}
	e := &Engine{kept: map[string]string{}}
	var err error
	e.schema, err = graphql.ParseSchema(Schema, &root{},
		graphql.UseStringDescriptions(), graphql.MaxQueryLength(graph.QueryBytes), graphql.MaxDepth(graph.MostDepth), graphql.MaxSelections(graph.MostFields),
		graphql.OverlapValidationLimit(overlaps), graphql.MaxParallelism(parallelism), graphql.Logger(silence{}), graphql.PanicHandler(panics{}),
		graphql.RestrictIntrospection(func(context.Context) bool { return false }),
	)
	if err != nil {
		return nil, fmt.Errorf("the schema of the graph: %w", err)
	}
	if o.Introspection {
		if e.inward, err = described(); err != nil {
			return nil, fmt.Errorf("the schema of the graph: %w", err)
		}
	}
	return e, e.keep(o.Queries)
}

// keep reads the kept queries.
func (e *Engine) keep(files fs.FS) error {
	names, err := fs.Glob(files, "*.graphql")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read the kept query %s: %w", path.Base(name), err)
		}
		for _, err := range e.schema.Validate(string(text)) {
			if err.Rule != "VariablesOfCorrectType" { // variables are sent with each request
				return fmt.Errorf("the kept query %s is not valid: %w", path.Base(name), err)
			}
		}
		e.kept[Hash(string(text))] = string(text)
	}
	return nil
}

// Hash identifies a kept query: the SHA-256 of its file.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Persisted is the kept query with a hash.
func (e *Engine) Persisted(hash string) (text string, ok bool) {
	text, ok = e.kept[hash]
	return text, ok
}

type readsKey struct{}

// readsOf is the reads of the query of a context.
func readsOf(ctx context.Context) *graph.Reads {
	return ctx.Value(readsKey{}).(*graph.Reads)
}

// Answer plans a query and runs it.
func (e *Engine) Answer(ctx context.Context, reads *graph.Reads, q graph.Query) (graph.Answer, error) {
	ctx = context.WithValue(ctx, readsKey{}, reads)
	switch inward := aboutSchema(q.Text); {
	case inward == "":
	case e.inward == nil:
		return refused(shownErrorOf(graph.NotShown("introspection is off; the schema is in docs/build/graphql.md")))
	case inward == "__schema":
		return graph.Answer{Body: e.inward}, nil
	case inward == "__type":
		return refused(shownErrorOf(graph.NotShown("__type is not supported; query __schema, which has all types")))
	}
	if n := len(q.Text); n > graph.QueryBytes { // the library has the same bound, but its error has no code
		return refused(shownErrorOf(graph.TooMuch(fmt.Sprintf("the query has %d bytes; at most %d are allowed", n, graph.QueryBytes))))
	}
	planned := e.schema.Exec(ctx, q.Text, q.Operation, maps.Clone(q.Variables))
	if len(planned.Errors) > 0 {
		return refused(shownErrors(planned.Errors)...)
	}
	ctx, err := reads.Begin(ctx)
	if err != nil {
		if tooMuch, ok := errors.AsType[graph.Problem](err); ok {
			return refused(shownErrorOf(tooMuch))
		}
		return graph.Answer{}, err
	}
	ran := e.schema.Exec(ctx, q.Text, q.Operation, maps.Clone(q.Variables))
	body, err := json.Marshal(answer{Data: ran.Data, Errors: shownErrors(ran.Errors)})
	return graph.Answer{Body: body, Partly: len(ran.Errors) > 0}, err
}

// answer is the body of an answer.
type answer struct {
	Errors []shownError    `json:"errors,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
}

func refused(errs ...shownError) (graph.Answer, error) {
	body, err := json.Marshal(answer{Errors: errs})
	return graph.Answer{Body: body, Refused: true}, err
}

// aboutSchema is what a query asks of the schema itself: __schema, __type or, if it only has
// such a name inside a text, "__"; empty: nothing.
func aboutSchema(text string) string {
	text = strings.ReplaceAll(text, "__typename", "")
	for _, name := range []string{"__schema", "__type", "__"} {
		if strings.Contains(text, name) {
			return name
		}
	}
	return ""
}

// described is the answer to every query for the schema: all of it. Code generators ask for
// all of it anyway, and running a query for it could cost any amount of work, since types have
// fields, which have types.
func described() ([]byte, error) {
	schema, err := graphql.ParseSchema(Schema, nil, graphql.UseStringDescriptions())
	if err != nil {
		return nil, err
	}
	text, err := schema.ToJSON()
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer{Data: text})
}

// FromSetting makes the Engine for a setting: empty or off gives nil; on; introspection,
// which also allows queries about the schema.
func FromSetting(setting string) (graph.Engine, error) {
	switch setting {
	case "", "off":
		return nil, nil
	case "on", "introspection":
		return New(Options{Introspection: setting == "introspection"})
	}
	return nil, fmt.Errorf("GRAPHQL is %.40q: use off, on or introspection", setting)
}
