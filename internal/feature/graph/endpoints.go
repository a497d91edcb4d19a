// Package graph has the endpoints of GraphQL: they read a query, and what it may read is what
// the routes of boards, players, friends and duels read. Package engine, beside it, has the
// schema and runs queries.
//
// It must not know Redis or the schema.
package graph

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
)

// maxQuery is the longest body of a graph request: a query of 8 KiB, and its variables.
const maxQuery = 16 << 10

var wholeQuery = gate.BodyRule{Most: maxQuery}

// maxVariables is the longest text of variables in a query string.
const maxVariables = 2 << 10

// Query is a query to a graph.
type Query struct {
	Text      string
	Operation string // the operation to run of those in the text; empty: its only one
	Variables map[string]any
}

// Answer is the answer to it.
type Answer struct {
	Body    []byte // JSON with data, errors or both
	Refused bool   // nothing was read: the query is not valid, or costs too much
	Partly  bool   // a part could not be answered
}

// Engine answers queries. Package engine has the only implementation; in a process with a nil
// one there is no graph.
type Engine interface {
	// Answer runs a query by reads, twice: first to find out what it would cost. Errors:
	// those of the request as a whole.
	Answer(ctx context.Context, reads *Reads, q Query) (Answer, error)
	// Persisted finds the query that the deployment keeps under the hash of its text.
	Persisted(hash string) (text string, ok bool)
}

// Endpoints are the endpoints of POST and GET /graphql.
type Endpoints struct {
	*api.Boards
	Gate     *gate.Guard
	Problems respond.Problems
	Engine   Engine             // nil: there is no graph
	Friends  friend.Friendships // nil without Postgres
	Duels    *duel.Store
}

// Routes are the routes of queries.
func (g Endpoints) Routes() []gate.Route {
	return []gate.Route{
		// Steady: a page, as GET /v1/leaderboards/{mode}.
		{Function: "graphql", Pattern: "POST /graphql", Auth: gate.Public, Limit: limit.Boards, Body: wholeQuery,
			Price: gate.Price{Most: MostCommands}, Steady: 1, Serve: gate.NoQuery(g.PostGraph)},
		{Function: "graphql", Pattern: "GET /graphql", Auth: gate.Public, Limit: limit.Boards,
			Price: gate.Price{Most: MostCommands}, Steady: 1, Serve: g.GetGraph},
	}
}

// PostGraph reads POST /graphql.
func (g Endpoints) PostGraph(w http.ResponseWriter, r *gate.Request) error {
	if g.Engine == nil {
		return noGraph()
	}
	f := decode.Open(r.Sent, "")
	var q Query
	q.Text, _ = f.Text("query", decode.Required)
	q.Operation, _ = f.Text("operationName", decode.Optional)
	q.Variables = readVariables(f)
	f.Take("extensions", decode.Optional) // clients describe themselves in it
	if err := f.Done(); err != nil {
		return err
	}
	reads, answer, err := g.answer(r, q)
	if err != nil {
		return err
	}
	api.ShowDegraded(w, reads.lacks)
	respond.Body(w, r.Request, graphStatus(answer), answer.Body)
	return nil
}

// readVariables takes the variables of a query. Clients send null if they have none.
func readVariables(f *decode.Object) (variables map[string]any) {
	raw, ok := f.Take("variables", decode.Optional)
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, &variables); err != nil {
		f.Fault("variables", "this must be an object with a value for each variable")
	}
	return variables
}

// GetGraph reads GET /graphql. It runs only queries that the deployment keeps; caches may
// store an answer that is the same for everybody.
func (g Endpoints) GetGraph(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	hash, variables := q.Text("hash"), q.Text("variables")
	asked := Query{}
	switch {
	case hash == "" && q.Sound():
		q.Fault("hash", "this parameter is required: the SHA-256 of a query that this deployment keeps; send any other query as POST")
	case len(variables) > maxVariables:
		q.Fault("variables", "this has at most "+problem.SizeText(maxVariables)+"; send more as POST")
	case variables != "":
		if json.Unmarshal([]byte(variables), &asked.Variables) != nil {
			q.Fault("variables", "this must be a JSON object with a value for each variable")
		}
	}
	if err := q.Done(); err != nil {
		return err
	}
	if g.Engine == nil {
		return noGraph()
	}
	text, ok := g.Engine.Persisted(hash)
	if !ok {
		return problem.New("not-found", "unknown query hash; use the SHA-256 of a file in api/queries, in lowercase hexadecimal, or send the query by POST")
	}
	asked.Text = text
	reads, answer, err := g.answer(r, asked)
	if err != nil {
		return err
	}
	api.ShowDegraded(w, reads.lacks)
	if answer.Refused || answer.Partly {
		respond.Body(w, r.Request, graphStatus(answer), answer.Body)
		return nil
	}
	respond.Tagged(w, r.Request, api.CacheFor(w, reads.own, reads.fresh, reads.while), answer.Body, respond.Tag(answer.Body))
	return nil
}

// answer runs a query for a request.
func (g Endpoints) answer(r *gate.Request, q Query) (*Reads, Answer, error) {
	reads := &Reads{Endpoints: g, r: r, planning: true, fresh: api.ClosedCache, while: api.ClosedCache}
	answer, err := g.Engine.Answer(r.Context(), reads, q)
	if answer.Refused {
		r.Counts()
	}
	switch {
	case reads.nobody != nil: // who asks for own data has to send a credential
		err = reads.nobody
	case err == nil && reads.read == 0 && reads.failed != nil && problem.Of(reads.failed).Status >= http.StatusTooManyRequests:
		err = reads.failed // if nothing could be answered, the whole request failed
	}
	return reads, answer, err
}

func graphStatus(a Answer) int {
	if a.Refused {
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// Problem is what is wrong with a part of a query, as its caller sees it.
type Problem struct{ *problem.Problem }

func (p Problem) Error() string { return p.Detail }

// Unwrap lets package problem answer it with its own status.
func (p Problem) Unwrap() error { return p.Problem }

// Extensions are the details that a graph's answer gives beside the text of an error.
func (p Problem) Extensions() map[string]any {
	of := map[string]any{"code": p.Code, "status": p.Status}
	if p.Wait > 0 {
		of["retry_after"] = int64((p.Wait + time.Second - 1) / time.Second)
	}
	return of
}

// TooMuch refuses a query because of its size or its price.
func TooMuch(detail string) Problem { return Problem{problem.New("too-large", detail)} }

// NotValid refuses a query that is not well formed, or asks for something that does not
// exist.
func NotValid(detail string) Problem { return Problem{problem.BadRequest(detail)} }

// NotShown refuses a query for something that this deployment shows nobody.
func NotShown(detail string) Problem { return Problem{problem.Forbidden(detail)} }

// ofGraph turns an error into one that a graph answers, and logs it if it is ours to repair.
func (g Endpoints) ofGraph(r *gate.Request, err error) error {
	if p, ok := errors.AsType[Problem](err); ok {
		return p
	}
	return Problem{g.Problems.Explain(r.Request, err)}
}

// A graph answers with the same types as the routes.
type (
	Page   = api.Page
	Entry  = api.Entry
	Card   = api.Card
	XP     = api.XP
	Streak = api.Streak
	Today  = api.Today
	Friend = friend.PublicProfile
	Duel   = duel.Answer
)

// Standing is the caller's XP and streak.
type Standing = api.Standing

func noGraph() *problem.Problem {
	return problem.New("not-found", "GraphQL is off; set GRAPHQL=on")
}
