package archive

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Submissions are all accepted scores, in games that keep each one at once.
type Submissions struct{ db *DB }

// otherPlay is added to the number in a submission's id if another submission has that id.
// Redis makes ids from its clock: if the clock of a lost Redis differed from the clock of the
// next one, both may have given the same id. A stream numbers up to 1,000 submissions for each
// 10,000 numbers.
const otherPlay = 5_000

// Put keeps submissions, up to MostRows, and returns the number of new ones. It leaves alone
// submissions that are kept already, and leaves out those that an erased player made before
// the erasure. If another submission, with another time or score, has the same id, Put gives
// this one a free id, also in the slice submissions. source names the Redis that they come
// from, as with [Days.Begin]: days that no other Redis has written become this one's.
// 1 round trip.
func (a Submissions) Put(ctx context.Context, submissions []game.Posted, source string) (added int64, err error) {
	n := len(submissions)
	if n > MostRows {
		return 0, fmt.Errorf("%d submissions are too many to put at once; use up to %d", n, MostRows)
	}
	if n == 0 {
		return 0, nil
	}
	modes, ids, players := make([]string, n), make([]string, n), make([]string, n)
	dates, times := make([]time.Time, n), make([]time.Time, n)
	stored := make([]float64, n)
	scopes, details, once := make([]*string, n), make([]*string, n), make([]*string, n)
	for i, s := range submissions {
		modes[i], ids[i], players[i] = s.Mode, s.StreamID, s.Player
		dates[i], times[i], stored[i] = s.Date.Midnight(), s.At, s.Stored
		if len(s.Scopes) > 0 {
			names := make([]string, len(s.Scopes))
			for k, scope := range s.Scopes {
				names[k] = scope.String()
			}
			text := strings.Join(names, ",")
			scopes[i] = &text
		}
		details[i], once[i] = orNull(string(s.Details)), orNull(s.Once)
	}
	var other []int
	err = a.db.Change(ctx, "put submissions", `
WITH rows AS (
    SELECT sent.*, EXISTS (
        SELECT FROM submissions AS kept WHERE kept.mode = sent.mode AND kept.date = sent.date AND kept.stream_id = sent.stream_id
            AND (kept.at, kept.stored) IS DISTINCT FROM (sent.at, sent.stored)
    ) AS other
    FROM unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::double precision[], $6::text[], $7::text[], $8::timestamptz[], $9::text[])
         WITH ORDINALITY AS sent (mode, date, stream_id, player, stored, scopes, details, at, once, place)
), days AS (
    INSERT INTO archived_days AS old (mode, date, source)
    SELECT DISTINCT mode, date, $10 FROM rows ORDER BY 1, 2
    ON CONFLICT (mode, date) DO UPDATE SET source = excluded.source WHERE old.source = ''
), added AS (
    INSERT INTO submissions (mode, date, stream_id, player, stored, scopes, details, at, once)
    SELECT mode, date, CASE WHEN other THEN split_part(stream_id, '-', 1) || '-' || split_part(stream_id, '-', 2)::numeric + $11::integer ELSE stream_id END,
        player, stored, string_to_array(scopes, ','), details::json, at, once
    FROM rows WHERE NOT erased_since(player, at)
    ON CONFLICT (mode, date, stream_id) DO NOTHING
    RETURNING 1
)
SELECT (SELECT count(*) FROM added), ARRAY(SELECT place FROM rows WHERE other)`,
		[]any{modes, dates, ids, players, stored, scopes, details, times, once, source, otherPlay}, &added, &other)
	for _, place := range other {
		s := &submissions[place-1]
		if s.StreamID, err = s.Numbered(otherPlay); err != nil {
			return added, err
		}
	}
	return added, err
}

const postedColumns = `SELECT mode, date, stream_id, player, stored, scopes, details, at, coalesce(once, '') FROM submissions `

func scanPosted(row pgx.CollectableRow) (s game.Posted, err error) {
	var scopes []string
	if err := row.Scan(&s.Mode, &s.Date, &s.StreamID, &s.Player, &s.Stored, &scopes, &s.Details, &s.At, &s.Once); err != nil {
		return s, err
	}
	results, err := game.SplitScopes(s.Stored, scopes, nil)
	for _, r := range results {
		s.Scopes = append(s.Scopes, r.Scope)
	}
	return s, err
}

// OfDay reads a day's submissions in the order of the stream, without removed ones. It calls
// each as [Results.OfDay] does.
// 1 round trip.
func (a Submissions) OfDay(ctx context.Context, mode string, d game.Date, each func([]game.Posted) error) error {
	return Stream(ctx, a.db, "read the submissions of "+mode+" "+d.String(), postedColumns+`WHERE mode = $1 AND date = $2 AND `+notRemoved+`
ORDER BY split_part(stream_id, '-', 1)::numeric, split_part(stream_id, '-', 2)::numeric`,
		[]any{mode, d.Midnight()}, scanPosted, each)
}

// Newest reads the latest submissions of a day of a mode, newest first.
// 1 round trip.
func (a Submissions) Newest(ctx context.Context, mode string, d game.Date, limit int) ([]game.Posted, error) {
	return Collect(ctx, a.db, "read the newest submissions", postedColumns+`
WHERE mode = $1 AND date = $2 ORDER BY at DESC LIMIT $3`, []any{mode, d.Midnight(), limit}, scanPosted)
}

// SubmissionPlace is the place of a submission among those of its player.
type SubmissionPlace struct {
	At       time.Time
	Mode     string
	Date     game.Date
	StreamID string
}

// Before reads a player's submissions that come after a place, and those of devices that the
// player has claimed, newest first: those of one mode, or with "" of all modes.
// 1 round trip.
func (a Submissions) Before(ctx context.Context, player, of string, p SubmissionPlace, limit int) ([]game.Posted, error) {
	return Collect(ctx, a.db, "read a player's submissions", postedColumns+`
WHERE player = `+WithDevices+` AND (at, mode, date, stream_id) < ($2, $3, $4, $5) AND ($7 = '' OR mode = $7)
ORDER BY at DESC, mode DESC, date DESC, stream_id DESC LIMIT $6`,
		[]any{player, p.At, p.Mode, p.Date.Midnight(), p.StreamID, limit, of}, scanPosted)
}

// Has reports for each of a player's results whether one of the kept submissions made it, of the
// player or of a device that the player has claimed.
// 1 round trip; none without results.
func (a Submissions) Has(ctx context.Context, player string, results []game.DayResult) ([]bool, error) {
	if len(results) == 0 {
		return nil, nil
	}
	modes, dates, stored := make([]string, len(results)), make([]time.Time, len(results)), make([]float64, len(results))
	for i, r := range results {
		modes[i], dates[i], stored[i] = r.Mode, r.Date.Midnight(), r.Stored
	}
	return Collect(ctx, a.db, "look for submissions", `
SELECT EXISTS (SELECT FROM submissions AS s WHERE s.player = `+WithDevices+` AND s.mode = r.mode AND s.date = r.date AND s.stored = r.stored)
FROM unnest($2::text[], $3::date[], $4::double precision[]) WITH ORDINALITY AS r (mode, date, stored, n) ORDER BY n`,
		[]any{player, modes, dates, stored}, pgx.RowTo[bool])
}

// notRemoved excludes submissions made before their result was removed or their player was
// banned, no matter when they were taken from the outbox.
const notRemoved = `NOT EXISTS (
    SELECT FROM audit AS act WHERE act.player = submissions.player AND act.at >= submissions.at
    AND (act.action = 'ban' OR act.action = 'delete_result' AND act.mode = submissions.mode AND act.date = submissions.date))`

// CountStanding is [Results.CountStanding] by the submissions, for games that keep each one.
// 1 round trip.
func (a Submissions) CountStanding(ctx context.Context, d game.Date, modes ...string) (map[string]int64, error) {
	return a.db.countByMode(ctx, `
SELECT mode, count(*) FROM (SELECT DISTINCT mode, player FROM submissions WHERE mode = ANY ($2) AND date = $1 AND `+notRemoved+`) AS played
WHERE `+stillPlays("played")+` GROUP BY mode`, d, modes)
}

// EachOnBoard is [Submissions.OfDay] for the players who should be on the day's board.
// 1 round trip.
func (a Submissions) EachOnBoard(ctx context.Context, mode string, d game.Date, each func([]game.Posted) error) error {
	return Stream(ctx, a.db, fmt.Sprintf("read who should stand on %s of %s", mode, d), postedColumns+`WHERE mode = $1 AND date = $2 AND `+notRemoved+` AND `+stillPlays("submissions")+`
ORDER BY split_part(stream_id, '-', 1)::numeric, split_part(stream_id, '-', 2)::numeric`,
		[]any{mode, d.Midnight()}, scanPosted, each)
}
