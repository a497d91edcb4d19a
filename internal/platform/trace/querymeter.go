package trace

import (
	"context"
	"sync/atomic"
)

// QueryMeter adds up queries. The zero value is ready; safe for concurrent use.
type QueryMeter struct{ queries, rows atomic.Int64 }

// Add counts queries, and the rows that they returned or changed.
func (m *QueryMeter) Add(queries, rows int64) {
	m.queries.Add(queries)
	m.rows.Add(rows)
}

// Read returns the counts: statements, including those that begin and end transactions and
// those that were sent again, and rows that were returned or changed.
func (m *QueryMeter) Read() (queries, rows int64) { return m.queries.Load(), m.rows.Load() }

type queriesKey struct{}

// queryMeters are the meters of a context, the innermost first.
type queryMeters struct {
	meter *QueryMeter
	outer *queryMeters
}

// WithQueries also counts on m what is asked with the returned context.
func WithQueries(ctx context.Context, m *QueryMeter) context.Context {
	outer, _ := ctx.Value(queriesKey{}).(*queryMeters)
	return context.WithValue(ctx, queriesKey{}, &queryMeters{m, outer})
}

// AddQueries counts on all meters of a context.
func AddQueries(ctx context.Context, queries, rows int64) {
	all, _ := ctx.Value(queriesKey{}).(*queryMeters)
	for ; all != nil; all = all.outer {
		all.meter.Add(queries, rows)
	}
}
