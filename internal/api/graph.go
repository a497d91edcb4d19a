package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/matches"
	"github.com/framedle/leaderboards/internal/problem"
)

const (
	graphPath   = "/graphql"
	keptQueries = "GET " + graphPath
)

// maxQuery is how long a body may be that asks a graph: a query of 8 KiB, and its variables.
const maxQuery = 16 << 10

var wholeQuery = gate.BodyRule{Most: maxQuery}

// maxVariables is how long the variables in an address may be.
const maxVariables = 2 << 10

// GraphQuery is what is asked of a graph.
type GraphQuery struct {
	Text      string
	Operation string // which of the text's; empty: its only one
	Variables map[string]any
}

// GraphAnswer is the answer to it.
type GraphAnswer struct {
	Body    []byte // JSON with data, errors or both
	Refused bool   // nothing was read: what was asked is not valid, or too much
	Partly  bool   // something could not be answered
}

// Graphs answer queries. Package graph has the only one; a process without it, nil, serves
// no graph.
type Graphs interface {
	// Answer asks for everything by reads, twice: first for what it would cost.
	// Errors: what stands against the request as a whole.
	Answer(ctx context.Context, reads *GraphReads, q GraphQuery) (GraphAnswer, error)
	// Kept is the query that the deployment has under the hash of its text.
	Kept(hash string) (text string, ok bool)
}

// graphs are the endpoints of POST and GET /graphql.
type graphs struct {
	kernel
	boards   boards
	standing Standing
	names    friendships.Names
	friends  friendships.Friends // nil: there is no database
	duels    *duel.Store
	graph    Graphs // nil: none
}

// postGraph reads POST /graphql.
func (g graphs) postGraph(w http.ResponseWriter, r *gate.Request) error {
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	if g.graph == nil {
		return problem.NoGraph()
	}
	f := fields.Open(r.Sent, "")
	var q GraphQuery
	q.Text, _ = f.Text("query", true)
	q.Operation, _ = f.Text("operationName", false)
	q.Variables = readVariables(f)
	f.Take("extensions", false) // what clients tell of themselves
	if err := f.Done(); err != nil {
		return err
	}
	reads, answer, err := g.answer(r, q)
	if err != nil {
		return err
	}
	tellDegraded(w, reads.lacks)
	answers.Body(w, r.Request, graphStatus(answer), answer.Body)
	return nil
}

// readVariables takes the variables of a query; clients send null where there are none.
func readVariables(f *fields.Object) (variables map[string]any) {
	raw, ok := f.Take("variables", false)
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, &variables); err != nil {
		f.Fault("variables", "this must be an object with a value for each variable")
	}
	return variables
}

// getGraph reads GET /graphql, for queries that the deployment keeps: caches may hold what
// everybody may see.
func (g graphs) getGraph(w http.ResponseWriter, r *gate.Request) error {
	q := fields.OpenQuery(r.URL)
	hash, variables := q.Text("hash"), q.Text("variables")
	asked := GraphQuery{}
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
	if g.graph == nil {
		return problem.NoGraph()
	}
	text, ok := g.graph.Kept(hash)
	if !ok {
		return problem.UnknownQuery()
	}
	asked.Text = text
	reads, answer, err := g.answer(r, asked)
	if err != nil {
		return err
	}
	tellDegraded(w, reads.lacks)
	if answer.Refused || answer.Partly {
		answers.Body(w, r.Request, graphStatus(answer), answer.Body)
		return nil
	}
	cache := answers.OwnCache
	if !reads.own {
		shared, networks := cacheFor(reads.fresh, reads.while)
		cache = shared
		w.Header().Set("CDN-Cache-Control", networks)
	}
	answers.Tagged(w, r.Request, cache, answer.Body, answers.Tag(answer.Body))
	return nil
}

// answer has a query answered for a request.
func (g graphs) answer(r *gate.Request, q GraphQuery) (*GraphReads, GraphAnswer, error) {
	reads := &GraphReads{graphs: g, r: r, planning: true, fresh: closedCache, while: closedCache}
	answer, err := g.graph.Answer(r.Context(), reads, q)
	switch {
	case reads.nobody != nil: // whoever asks for own things says who that is
		err = reads.nobody
	case err == nil && reads.read == 0 && reads.failed != nil && problem.Of(reads.failed).Status >= http.StatusTooManyRequests:
		err = reads.failed // where nothing could be answered, it is the request that failed
	}
	return reads, answer, err
}

func graphStatus(a GraphAnswer) int {
	if a.Refused {
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// GraphProblem is what is wrong with a part of a query, for the one who asks.
type GraphProblem struct{ *problem.Problem }

func (p GraphProblem) Error() string { return p.Detail }

// Unwrap has it answered as the problem that it is.
func (p GraphProblem) Unwrap() error { return p.Problem }

// Extensions are what a graph's answer says of an error beside its text.
func (p GraphProblem) Extensions() map[string]any {
	of := map[string]any{"code": p.Code, "status": p.Status}
	if p.Wait > 0 {
		of["retry_after"] = int64((p.Wait + time.Second - 1) / time.Second)
	}
	return of
}

// TooMuch refuses a query for its size or its price.
func TooMuch(detail string) GraphProblem { return GraphProblem{problem.QueryTooLarge(detail)} }

// NotValid refuses a query that is none, or asks for what there is not.
func NotValid(detail string) GraphProblem { return GraphProblem{problem.BadRequest(detail)} }

// NotTold refuses what this deployment tells nobody.
func NotTold(detail string) GraphProblem { return GraphProblem{problem.Forbidden(detail)} }

// ofGraph is an error as a graph answers it; it is logged where it is ours to repair.
func (g graphs) ofGraph(r *gate.Request, err error) error {
	if p, ok := errors.AsType[GraphProblem](err); ok {
		return p
	}
	return GraphProblem{g.problems.Explain(r.Request, err)}
}

// What is read is answered as the routes answer it.
type (
	GraphPage   = pageAnswer
	GraphEntry  = entryAnswer
	GraphCard   = cardAnswer
	GraphXP     = xpAnswer
	GraphStreak = streakAnswer
	GraphToday  = todayAnswer
	GraphFriend = friendships.Relation
	GraphDuel   = matches.Duel
)

// GraphStanding is what the caller has in the game as a whole; nil: the game has no such.
type GraphStanding struct {
	XP     *GraphXP
	Streak *GraphStreak
	Today  []GraphToday
}
