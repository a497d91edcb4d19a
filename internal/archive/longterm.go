package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// inOrder reads a whole board in board order.
//
// $7 whether the lowest is the best
const inOrder = `
SELECT player, stored FROM board
ORDER BY CASE WHEN $7::boolean THEN stored END, CASE WHEN $7 THEN player END, stored DESC, player DESC`

// Each reads a whole board of a day, week, month or season in board order; for a day, with
// everything that is kept of each result. It calls each as [Results.OfDay] does.
// 1 round trip; a week or longer adds up all its days.
func (a Boards) Each(ctx context.Context, b game.Board, each func([]game.Result) error) error {
	doing := "read all of " + b.Key
	switch {
	case b.Period.Kind() == game.AllTime:
		return errNoHistory
	case b.Period.Kind() == game.Day && b.Scope == (game.Scope{}):
		order := "stored DESC, player DESC"
		if ascending(b) {
			order = "stored, player"
		}
		return Stream(ctx, a.db, doing, `
SELECT player, stored, scopes, scoped_stored, details FROM results WHERE mode = $1 AND date = $2 ORDER BY `+order,
			[]any{b.Mode.Name, b.Period.First().Midnight()}, ScanResult, each)
	}
	return Stream(ctx, a.db, doing, rowsOf(b)+inOrder, argumentsOf(b, ascending(b)), pgx.RowToStructByNameLax[game.Result], each)
}

// Revisions returns a text for each day of a mode that changes with every run, removal and
// erasure: while the text is the same, the results are the same. Another database has other
// texts.
// 1 round trip.
func (a Days) Revisions(ctx context.Context, mode string, from, to game.Date) (map[game.Date]string, error) {
	return Mapped[game.Date, string](ctx, a.db, "read the revisions of "+mode, `
SELECT date, encode(sha256(convert_to(concat_ws(' ', salt, mode, date, begun, finished, players), 'UTF8')), 'hex')
FROM archived_days, digest_salt WHERE mode = $1 AND date BETWEEN $2 AND $3`,
		[]any{mode, from.Midnight(), to.Midnight()})
}

// ErasedSince lists those of the players who have been erased at a moment or later.
// 1 round trip.
func (a Results) ErasedSince(ctx context.Context, players []string, moment time.Time) ([]string, error) {
	return Collect(ctx, a.db, "look for players who were erased",
		`SELECT player FROM unnest($1::text[]) AS player WHERE erased_since(player, $2)`,
		[]any{players, moment}, pgx.RowTo[string])
}
