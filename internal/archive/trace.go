package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/platform/trace"
)

// tracer counts queries and rows on the meter in the context. It counts a query of a batch
// when its answer is read, even if the answer is an error.
type tracer struct{}

func (tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryEndData) {
	trace.AddQueries(ctx, 1, d.CommandTag.RowsAffected())
}

func (tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (tracer) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchQueryData) {
	trace.AddQueries(ctx, 1, d.CommandTag.RowsAffected())
}

func (tracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
