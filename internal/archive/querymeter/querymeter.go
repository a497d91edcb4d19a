// Package querymeter counts what is asked of Postgres with a context.
//
// It knows contexts and sums. It does not know a database driver: package archive feeds it,
// and functions that link no driver still read it.
package querymeter

import (
	"context"
	"sync/atomic"
)

// Meter adds up queries. The zero value is ready; safe for concurrent use.
type Meter struct{ queries, rows atomic.Int64 }

// Add counts queries, and the rows that they returned or changed.
func (m *Meter) Add(queries, rows int64) {
	m.queries.Add(queries)
	m.rows.Add(rows)
}

// Read returns the counts: statements, including those that begin and end transactions and
// those that were sent again, and rows that were returned or changed.
func (m *Meter) Read() (queries, rows int64) { return m.queries.Load(), m.rows.Load() }

type key struct{}

// metered are the meters of a context, the innermost first.
type metered struct {
	meter *Meter
	outer *metered
}

// With also counts on m what is asked with the returned context.
func With(ctx context.Context, m *Meter) context.Context {
	outer, _ := ctx.Value(key{}).(*metered)
	return context.WithValue(ctx, key{}, &metered{m, outer})
}

// Add counts on all meters of a context.
func Add(ctx context.Context, queries, rows int64) {
	all, _ := ctx.Value(key{}).(*metered)
	for ; all != nil; all = all.outer {
		all.meter.Add(queries, rows)
	}
}
