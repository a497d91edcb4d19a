package graph_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is wrong with a query is told before it has cost a command.
func TestHostileQueriesCostNothing(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "500")
	many := func(n int, part string) string {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, part, i)
		}
		return all.String()
	}
	ids := func(n int) string { return strings.TrimSuffix(many(n, `"user_%d",`), ",") }
	const tooLarge, invalid, forbidden = "too-large", "invalid-request", "forbidden"
	for name, of := range map[string]struct {
		query     string
		variables map[string]any
		code      string
		says      []string
	}{
		"a text that is too long":           {query: "{ board(mode: \"daily\") { total } } #" + strings.Repeat("x", 8<<10), code: tooLarge, says: []string{"8192", "8228"}},
		"a thousand aliases":                {query: `{ board(mode: "daily") { ` + many(1000, "a%d:key ") + ` } }`, code: tooLarge},
		"boards by aliases":                 {query: `{ ` + many(6, `b%d: board(mode: "daily") { total } `) + ` }`, code: tooLarge, says: []string{"26 Redis commands", "22"}},
		"fields by fragments":               {query: `{ ` + many(20, `b%d: board(mode: "daily") { ...f } `) + ` } fragment f on Board { mode period key scope total closed stale cursor }`, code: tooLarge, says: []string{"100"}},
		"fragments that double":             {query: `{ me { ...f0 } } ` + many(30, "fragment f%d on Me { ") + strings.Repeat("}", 30), code: invalid},
		"fragments upon fragments":          {query: doubling(24), code: tooLarge, says: []string{"100"}},
		"a fragment within itself":          {query: `{ board(mode: "daily") { ...f } } fragment f on Board { entries { ...g } } fragment g on Entry { player { id } ...g }`, code: invalid, says: []string{"g"}},
		"fragments in a circle":             {query: `{ board(mode: "daily") { ...f } } fragment f on Board { total ...g } fragment g on Board { key ...f }`, code: invalid},
		"an unknown fragment":               {query: `{ board(mode: "daily") { ...f } }`, code: invalid, says: []string{"f"}},
		"deeper than there is":              {query: strings.Repeat("{a", 900) + strings.Repeat("}", 900), code: tooLarge},
		"deeper than may be parsed":         {query: strings.Repeat("{a", 2000) + strings.Repeat("}", 2000), code: invalid},
		"lists of lists":                    {query: `{ players(ids: ` + strings.Repeat("[", 1200) + strings.Repeat("]", 1200) + `) { id } }`, code: invalid},
		"a page that is too long":           {query: `{ board(mode: "daily", first: 1000000) { total } }`, code: tooLarge, says: []string{"1000000", "100"}},
		"a page of nothing":                 {query: `{ board(mode: "daily", first: 0) { total } }`, code: invalid, says: []string{"1 or more"}},
		"a page beyond numbers":             {query: `{ board(mode: "daily", first: 99999999999) { total } }`, code: invalid},
		"players that are too many":         {query: `{ players(ids: [` + ids(101) + `]) { id } }`, code: tooLarge, says: []string{"101", "100"}},
		"a player twice":                    {query: `{ players(ids: ["a", "a"]) { id } }`, code: invalid, says: []string{"twice"}},
		"cards of many boards":              {query: `{ board(mode: "daily") { entries { player { ` + many(8, `c%d: card(mode: "daily", period: WEEK, date: "2026-11-0%[1]d") { rank } `) + ` } } } }`, code: invalid}, // 2026-11-00
		"cards of many weeks":               {query: `{ board(mode: "daily") { entries { player { a: card(mode: "daily", period: WEEK) { rank } b: card(mode: "daily", period: MONTH) { rank } } } } }`, code: tooLarge, says: []string{"23 Redis commands"}},
		"countries":                         {query: `{ a: board(mode: "daily", scope: "country:BR") { total } b: board(mode: "daily", scope: "country:PT") { total } }`, code: tooLarge},
		"a board of countries' cards":       {query: `{ card(mode: "daily", scope: "country:BR", player: "user_a") { rank } }`, code: tooLarge},
		"directives that are unknown":       {query: `{ board(mode: "daily") @slow { total } }`, code: invalid},
		"directives many times":             {query: `{ board(mode: "daily") ` + strings.Repeat("@include(if: true) ", 50) + ` { total } }`, code: invalid},
		"a variable that is missing":        {query: `query($m: String!) { board(mode: $m) { total } }`, code: invalid},
		"a variable of the wrong type":      {query: `query($m: String!) { board(mode: $m) { total } }`, variables: map[string]any{"m": 7}, code: invalid},
		"an object for a variable":          {query: `query($n: Int!) { board(mode: "daily", first: $n) { total } }`, variables: map[string]any{"n": map[string]any{"$gt": 0}}, code: invalid},
		"a list for a variable":             {query: `query($m: String!) { board(mode: $m) { total } }`, variables: map[string]any{"m": []any{"daily"}}, code: invalid},
		"a variable beyond numbers":         {query: `query($n: Int!) { board(mode: "daily", first: $n) { total } }`, variables: map[string]any{"n": 1e300}, code: invalid},
		"a long list in a variable":         {query: `query($p: [ID!]!) { players(ids: $p) { id } }`, variables: map[string]any{"p": make([]string, 3000)}, code: tooLarge},
		"a mode that there is not":          {query: `{ board(mode: "x\u0000'; DROP TABLE") { total } }`, code: "unknown-mode"},
		"a date that is none":               {query: `{ board(mode: "daily", date: "2026-02-30") { total } }`, code: invalid, says: []string{"date"}},
		"a scope that is none":              {query: `{ board(mode: "daily", scope: "planet:mars") { total } }`, code: invalid, says: []string{"scope"}},
		"a cursor that nobody gave out":     {query: `{ board(mode: "daily", after: "AAAA") { total } }`, code: invalid, says: []string{"cursor"}},
		"groups beside players":             {query: `{ board(mode: "daily") { entries { player { card(mode: "daily", scope: "groups") { rank } } } } }`, code: invalid},
		"a player that is none":             {query: `{ card(mode: "daily", player: "a b") { rank } }`, code: invalid},
		"a duel that is none":               {query: `{ duel(id: "*") { id } }`, code: invalid},
		"a write":                           {query: `mutation { submit(score: 1) }`, code: invalid},
		"a stream":                          {query: `subscription { board { total } }`, code: invalid},
		"a good part beside a bad one":      {query: `{ a: board(mode: "daily", first: 5) { total } b: board(mode: "nothing") { total } }`, code: "unknown-mode"},
		"two queries and no name":           {query: `query a { board(mode: "daily") { total } } query b { board(mode: "daily") { total } }`, code: invalid},
		"nothing":                           {query: `#`, code: invalid},
		"no GraphQL":                        {query: `SELECT * FROM players`, code: invalid},
		"the schema":                        {query: `{ __schema { types { name } } }`, code: forbidden},
		"a type of the schema":              {query: `{ __type(name: "Query") { name } }`, code: forbidden},
		"the schema under a name":           {query: `query { x: __schema { types { fields { type { fields { name } } } } } }`, code: forbidden},
		"the schema in a fragment":          {query: `{ ...q } fragment q on Query { __schema { types { name } } }`, code: forbidden},
		"a text without an end":             {query: `{ board(mode: "daily`, code: invalid},
		"a text in three quotes and no end": {query: `{ board(mode: """daily`, code: invalid},
	} {
		t.Run(name, func(t *testing.T) {
			s := s.On(t)
			s.Handler = s.Process()
			err := s.Ungraphed(s.As("user_a", apitest.AsksWith(of.query, of.variables)))
			require.Equal(t, of.code, err.Extensions.Code, err.Message)
			for _, part := range of.says {
				require.Contains(t, err.Message, part)
			}
			require.NotRegexp(t, `(?i)panic|goroutine|\.go:|graphql-go|reflect|runtime error`, err.Message)
		})
	}
}

// doubling is a query that each of its fragments doubles.
func doubling(n int) string {
	var q strings.Builder
	q.WriteString(`{ board(mode: "daily") { ...f0 } } `)
	for i := range n {
		fmt.Fprintf(&q, "fragment f%d on Board { ...f%d ...f%d } ", i, i+1, i+1)
	}
	fmt.Fprintf(&q, "fragment f%d on Board { total }", n)
	return q.String()
}

// What is no query at all is refused as any other bad request.
func TestBodiesThatAreNoQueriesCostNothing(t *testing.T) {
	s := apitest.NewStack(t)
	for _, body := range []string{
		``, `[]`, `[{"query":"{ board(mode: \"daily\") { total } }"}]`, `{"query":7}`, `{"query":null}`, `{}`, `{"query":"{a}","variables":[]}`,
		`{"query":"{a}","variables":"x"}`, `{"query":"{a}","operationName":{}}`, `{"query":"{a}","id":1}`, `{"query":"{a}","query":"{b}"}`, "{\"query\":\"\xff\"}",
	} {
		commands, _ := s.Spent(func() {
			s.Want(http.StatusBadRequest, apitest.Post(apitest.GraphPath, body)).Problem(t, "invalid-request")
		})
		require.Zero(t, commands, body)
	}
	large, err := json.Marshal(map[string]any{"query": strings.Repeat(" ", 17<<10)})
	require.NoError(t, err)
	commands, _ := s.Spent(func() {
		s.Want(http.StatusRequestEntityTooLarge, apitest.Post(apitest.GraphPath, string(large))).Problem(t, "too-large")
	})
	require.Zero(t, commands)
}

// A refused query counts, though it has cost no command: checking it costs work.
func TestRefusedQueriesCount(t *testing.T) {
	s := apitest.NewLimitedStack(t)
	wrong := apitest.Asks(`{ nothing }`).CameFrom("192.0.2.7:4711")
	for range 30 {
		s.Want(http.StatusBadRequest, wrong)
	}
	s.Want(http.StatusTooManyRequests, wrong)
	s.Want(http.StatusOK, apitest.Asks(`{ board(mode: "daily") { total } }`).CameFrom("192.0.2.8:4711"))
}
