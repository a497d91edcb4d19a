package archive

import (
	"context"

	"github.com/jackc/pgx/v5"
)

func (a *Archive) do(ctx context.Context, doing string, work func(*pgx.Conn) error) error {
	return a.db.do(ctx, doing, work)
}
func (a *Archive) run(ctx context.Context, doing, statement string, args ...any) error {
	return a.db.run(ctx, doing, statement, args...)
}
func (a *Archive) change(ctx context.Context, doing, statement string, args []any, into ...any) error {
	return a.db.change(ctx, doing, statement, args, into...)
}
func (a *Archive) together(ctx context.Context, doing string, fill func(*pgx.Batch)) error {
	return a.db.together(ctx, doing, fill)
}
