package archive

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

// Elsewhere counts the days that were written from another Redis than the named one. Until
// they are adopted, only the archive has what that Redis had.
// 1 round trip.
func (a Days) Elsewhere(ctx context.Context, source string) (days int64, err error) {
	err = a.db.change(ctx, "look for days of another Redis",
		`SELECT count(*) FROM archived_days WHERE source NOT IN ('', $1)`, []any{source}, &days)
	return days, err
}

// stillPlays excludes banned players and devices that players have claimed. The claim has
// moved a device's entry to the player; the device's row is deleted when the day closes.
func stillPlays(table string) string {
	return "NOT EXISTS (SELECT FROM claims WHERE device = ban_member(" + table + ".player)) AND " + notBanned(table+".player")
}

// notBanned excludes banned players.
func notBanned(player string) string {
	return "NOT EXISTS (SELECT FROM bans WHERE member = ban_member(" + player + "))"
}

// notRemoved excludes submissions made before their result was removed or their player was
// banned, no matter when they were taken from the outbox.
const notRemoved = `NOT EXISTS (
    SELECT FROM audit AS act WHERE act.player = submissions.player AND act.at >= submissions.at
    AND (act.action = 'ban' OR act.action = 'delete_result' AND act.mode = submissions.mode AND act.date = submissions.date))`

// CountStanding counts by mode the players who should be on the boards of a date, by their
// results.
// 1 round trip.
func (a Results) CountStanding(ctx context.Context, d game.Date, modes ...string) (map[string]int64, error) {
	return countByMode(ctx, a.db, `
SELECT mode, count(*) FROM results WHERE mode = ANY ($2) AND date = $1 AND `+stillPlays("results")+` GROUP BY mode`, d, modes)
}

// CountStanding is [Results.CountStanding] by the submissions, for games that keep each one.
// 1 round trip.
func (a Submissions) CountStanding(ctx context.Context, d game.Date, modes ...string) (map[string]int64, error) {
	return countByMode(ctx, a.db, `
SELECT mode, count(*) FROM (SELECT DISTINCT mode, player FROM submissions WHERE mode = ANY ($2) AND date = $1 AND `+notRemoved+`) AS played
WHERE `+stillPlays("played")+` GROUP BY mode`, d, modes)
}

// countByMode counts the players of a date.
func countByMode(ctx context.Context, db *database, query string, d game.Date, modes []string) (map[string]int64, error) {
	return mapped[string, int64](ctx, db, "count the players of "+d.String(), query, []any{d.Midnight(), modes})
}

// Standing reads a day of a mode as OfDay does, but only players who should be on its board.
// 1 round trip.
func (a Results) Standing(ctx context.Context, mode string, d game.Date, each func([]game.Result) error) error {
	return stream(ctx, a.db, fmt.Sprintf("read who should stand on %s of %s", mode, d), `
SELECT player, stored, scopes, scoped_stored, details FROM results WHERE mode = $1 AND date = $2 AND `+stillPlays("results"),
		[]any{mode, d.Midnight()}, scanResult, each)
}

// Standing is [Submissions.OfDay] for the players who should be on the day's board.
// 1 round trip.
func (a Submissions) Standing(ctx context.Context, mode string, d game.Date, each func([]game.Posted) error) error {
	return stream(ctx, a.db, fmt.Sprintf("read who should stand on %s of %s", mode, d), postedColumns+`WHERE mode = $1 AND date = $2 AND `+notRemoved+` AND `+stillPlays("submissions")+`
ORDER BY split_part(stream_id, '-', 1)::numeric, split_part(stream_id, '-', 2)::numeric`,
		[]any{mode, d.Midnight()}, scanPosted, each)
}

// Had returns the number of players of the day when a run last finished. The day has no more
// players than that now; players removed since then make the difference.
func (w *DayWrite) Had() int64 { return w.had }
