package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/game"
)

// MostRows is the largest number of rows in one Put.
const MostRows = 10_000

// EnsurePartitions creates the missing partitions of results for every month with a day from
// from to to. Any number of callers may do so at once; readers and writers do not wait for it.
// 1 round trip.
func (a Days) EnsurePartitions(ctx context.Context, from, to game.Date) error {
	return a.db.Run(ctx, "make partitions", `
SELECT ensure_results_partition(month::date)
FROM generate_series(date_trunc('month', $1::date::timestamp), $2::date::timestamp, interval '1 month') AS month`,
		from.Midnight(), to.Midnight())
}

// DayWrite is one run that writes a day of a mode. It is safe for concurrent use. As soon as a
// newer run of the same day has begun, it gets ErrSuperseded: the run that began to read last
// decides.
//
// It remembers 8 bytes for each player it has been given.
type DayWrite struct {
	db      *DB
	mode    string
	date    game.Date
	closing bool  // else a saving
	number  int64 // of the run, among those of its day
	had     int64 // players, when a run last finished
	removed bool  // something was removed, not long before the run began
	seed    maphash.Seed

	mu      sync.Mutex
	seen    []uint64 // digests of the players, with repetitions
	written int64
}

// DayReport is the outcome of a DayWrite.
type DayReport struct {
	Players  int64 // rows of the day at the end
	Written  int64 // rows that were new or changed
	Removed  int64 // rows of players that the run was not given
	Complete bool  // a closing has finished the day, in this run or an earlier one
}

// Begin begins to write a day as it closed, and creates the partition it needs. The run must
// be given every player of the day, with all scopes. It supersedes every other run. Call Begin
// before reading the first score from Redis: a score removed from Redis earlier then stays
// out.
//
// source names the Redis that is read. Begin refuses a day that was written from another
// Redis, since the present one may lack what that one had. The source "" has no name and is
// never refused.
// 1 round trip. Errors: ErrOtherSource.
func (a Days) Begin(ctx context.Context, mode string, d game.Date, source string) (*DayWrite, error) {
	return a.begin(ctx, mode, d, source, true, time.Time{})
}

// removing is an upper bound for how long a removal takes: an act in the audit has the time at
// which it was asked for.
const removing = 20 * time.Minute

// BeginSaving is Begin for a day that is written as far as it is: the run may be given a part
// of the players, and no groups. It refuses a day that the archive has as it closed, or that a
// closing is writing. The run may be given what was read from a moment on, before BeginSaving,
// unless [DayWrite.Removed] reports that something was removed meanwhile.
// 1 round trip. Errors: ErrOtherSource, ErrClosed.
func (a Days) BeginSaving(ctx context.Context, mode string, d game.Date, source string, from time.Time) (*DayWrite, error) {
	return a.begin(ctx, mode, d, source, false, from)
}

// Had returns the number of players of the day when a run last finished. The day has no more
// players than that now; players removed since then make the difference.
func (w *DayWrite) Had() int64 { return w.had }

// Removed reports whether a result was removed or a player erased recently: what was read from
// Redis before the run began may still contain it.
func (w *DayWrite) Removed() bool { return w.removed }

// beginDay takes the next number of the day, unless this run may not write the day. It is one
// statement, so that nothing can come in between.
//
// $1 mode, $2 date, $3 source, $4 whether the run is a closing
const beginDay = `
INSERT INTO archived_days AS old (mode, date, source, closing) VALUES ($1, $2, $3, $4::boolean::int)
ON CONFLICT (mode, date) DO UPDATE
SET begun = old.begun + 1,
    closing = CASE WHEN $4 THEN old.begun + 1 ELSE old.closing END,
    source = CASE WHEN $3 = '' THEN old.source ELSE $3 END
WHERE ($3 = '' OR old.source IN ('', $3))
  AND ($4 OR NOT old.complete AND NOT (old.closing = old.begun AND old.finished < old.begun))
RETURNING begun, players`

func (a Days) begin(ctx context.Context, mode string, d game.Date, source string, closing bool, from time.Time) (*DayWrite, error) {
	w := &DayWrite{db: a.db, mode: mode, date: d, closing: closing, seed: maphash.MakeSeed()}
	var refused error
	err := a.db.Together(ctx, "begin "+mode+" "+d.String(), func(b *pgx.Batch) {
		refused = ErrClosed
		b.Queue(`SELECT ensure_results_partition($1)`, d.Midnight())
		b.Queue(beginDay, mode, d.Midnight(), source, closing).QueryRow(func(row pgx.Row) error {
			err := row.Scan(&w.number, &w.had)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			refused = nil
			return err
		})
		b.Queue(`SELECT FROM archived_days WHERE mode = $1 AND date = $2 AND source NOT IN ('', $3) AND $3 <> ''`,
			mode, d.Midnight(), source).Exec(func(other pgconn.CommandTag) error {
			if refused != nil && other.RowsAffected() > 0 {
				refused = ErrOtherSource
			}
			return nil
		})
		if closing {
			return
		}
		b.Queue(`SELECT EXISTS (SELECT FROM audit WHERE at >= $1 AND action IN ('erase', 'delete_result'))`, from.Add(-removing)).
			QueryRow(func(row pgx.Row) error { return row.Scan(&w.removed) })
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Adopt notes that the Redis named to has all that the archive has of a day written from the
// Redis named from: to may write the day from now on.
// 1 round trip.
func (a Days) Adopt(ctx context.Context, mode string, d game.Date, from, to string) error {
	return a.db.Run(ctx, "adopt "+mode+" "+d.String(),
		`UPDATE archived_days SET source = $4 WHERE mode = $1 AND date = $2 AND source = $3`, mode, d.Midnight(), from, to)
}

// putRows writes the rows that are new or have changed. It locks the day's row: a newer run
// waits until these rows are in, and once a newer run has begun, putRows finds no row to lock
// and writes nothing.
//
// It looks old rows up one by one by the primary key. In a new partition without statistics
// the planner expects one row for a whole day: with a plain join, or with the index of boards,
// it would read the whole day for each given row. LATERAL with LIMIT prevents the join, and an
// expression in place of the column prevents that index.
//
// $1 mode, $2 date, $3 number of the run, then one array for each column.
const putRows = `
WITH run AS (
    SELECT FROM archived_days WHERE mode = $1 AND date = $2 AND begun = $3 FOR SHARE
), given AS (
    SELECT player, stored, string_to_array(scopes, ',') COLLATE "C" AS scopes,
           string_to_array(scoped, ',')::double precision[] AS scoped_stored, details::json AS details
    FROM unnest($4::text[], $5::double precision[], $6::text[], $7::text[], $8::text[])
         AS rows (player, stored, scopes, scoped, details)
), written AS (
    INSERT INTO results (mode, date, player, stored, scopes, scoped_stored, details)
    SELECT $1, $2, given.*
    FROM run, given LEFT JOIN LATERAL (
        SELECT * FROM results WHERE player = given.player AND date = $2 AND mode || '' = $1 LIMIT 1
    ) AS old ON true
    WHERE old.player IS NULL
       OR (old.stored, old.scopes, old.scoped_stored, old.details::text)
          IS DISTINCT FROM (given.stored, given.scopes, given.scoped_stored, given.details::text)
    ON CONFLICT (player, date, mode) DO UPDATE
    SET stored = excluded.stored, scopes = excluded.scopes,
        scoped_stored = excluded.scoped_stored, details = excluded.details
    RETURNING 1
)
SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM written)`

// QueueResults queues the results of a run that writes a day, up to MostRows, and reads whether the
// run is still the newest one (0 or 1), and how many rows were new or changed. If a player is given
// twice, the last result counts.
func QueueResults(b *pgx.Batch, mode string, d game.Date, run int64, results []game.Result, running, written *int64) {
	rows := columnsOf(results)
	b.Queue(putRows, mode, d.Midnight(), run, rows.players, rows.stored, rows.scopes, rows.scoped, rows.details).
		QueryRow(func(row pgx.Row) error { return row.Scan(running, written) })
}

// Put writes up to MostRows results. It leaves unchanged rows alone, so that writing a day
// again costs reads only. If a player is given twice, the last result counts.
// 1 round trip. Errors: ErrSuperseded.
func (w *DayWrite) Put(ctx context.Context, results []game.Result) error {
	if len(results) > MostRows {
		return fmt.Errorf("%d results are too many to put at once; use up to %d", len(results), MostRows)
	}
	if len(results) == 0 {
		return nil
	}
	rows := columnsOf(results)
	var running, written int64
	err := w.db.Change(ctx, "put "+w.mode+" "+w.date.String(), putRows,
		[]any{w.mode, w.date.Midnight(), w.number, rows.players, rows.stored, rows.scopes, rows.scoped, rows.details},
		&running, &written)
	if err != nil {
		return err
	}
	if running == 0 {
		return ErrSuperseded
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written += written
	for _, player := range rows.players {
		w.seen = append(w.seen, maphash.String(w.seed, player))
	}
	return nil
}

// columns are results as one slice for each column, as unnest takes them.
type columns struct {
	players []string
	stored  []float64
	scopes  []*string
	scoped  []*string
	details []*string
}

// columnsOf orders the results by player, so that two runs with the same players lock their
// rows in the same order. It keeps the last result of each player.
func columnsOf(results []game.Result) columns {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b game.Result) int { return cmp.Compare(a.Player, b.Player) })
	var c columns
	for i, r := range sorted {
		if i+1 < len(sorted) && sorted[i+1].Player == r.Player {
			continue
		}
		scopes, scoped := game.JoinScopes(r)
		var details *string
		if len(r.Details) > 0 {
			text := string(r.Details)
			details = &text
		}
		c.players = append(c.players, r.Player)
		c.stored = append(c.stored, r.Stored)
		c.scopes = append(c.scopes, scopes)
		c.scoped = append(c.scoped, scoped)
		c.details = append(c.details, details)
	}
	return c
}

// finishDay notes how far the day is in. A closing's day is complete when the day has no rows
// but those that the closing has put; until then the closing has not finished.
//
// $1 mode, $2 date, $3 number of the run, $4 whether it is a closing, $5 number of players it
// has seen, $6 now
const finishDay = `
WITH day AS (
    SELECT count(*) AS players FROM results WHERE mode = $1 AND date = $2
)
UPDATE archived_days
SET finished = CASE WHEN $4 AND day.players <> $5 THEN finished ELSE $3 END,
    players = day.players, archived_at = $6, complete = complete OR ($4 AND day.players = $5)
FROM day
WHERE mode = $1 AND date = $2 AND begun = $3
RETURNING day.players, day.players = $5, complete`

// Finish ends the run. A closing deletes the players that it was not given, and the day counts
// as complete. A saving deletes nobody.
//
// 1 round trip; where a closing must delete players, 2 more and 1 for each 10,000 of them.
// Errors: ErrSuperseded.
func (w *DayWrite) Finish(ctx context.Context, at time.Time) (DayReport, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.seen)
	w.seen = slices.Compact(w.seen)
	report := DayReport{Written: w.written}
	exact, err := w.finish(ctx, at, &report)
	if err != nil || exact || !w.closing {
		return report, err
	}
	missing, err := w.missing(ctx)
	if err != nil {
		return report, err
	}
	for some := range slices.Chunk(missing, MostRows) {
		removed, err := w.remove(ctx, some)
		if err != nil {
			return report, err
		}
		report.Removed += removed
	}
	_, err = w.finish(ctx, at, &report)
	return report, err
}

func (w *DayWrite) finish(ctx context.Context, at time.Time, report *DayReport) (exact bool, err error) {
	err = w.db.Together(ctx, "finish "+w.mode+" "+w.date.String(), func(b *pgx.Batch) {
		b.Queue(finishDay, w.mode, w.date.Midnight(), w.number, w.closing, int64(len(w.seen)), at).QueryRow(func(row pgx.Row) error {
			return row.Scan(&report.Players, &exact, &report.Complete)
		})
		if w.closing {
			w.db.dayClosed(b, w.mode, w.date, w.number, at)
		}
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return false, ErrSuperseded
	}
	return exact, err
}

// missing lists the players of the day that this run has not been given.
func (w *DayWrite) missing(ctx context.Context) ([]string, error) {
	var missing []string
	err := Stream(ctx, w.db, "list the players of "+w.mode+" "+w.date.String(),
		`SELECT player FROM results WHERE mode = $1 AND date = $2`, []any{w.mode, w.date.Midnight()}, pgx.RowTo[string],
		func(players []string) error {
			for _, player := range players {
				if _, ok := slices.BinarySearch(w.seen, maphash.String(w.seed, player)); !ok {
					missing = append(missing, player)
				}
			}
			return nil
		})
	return missing, err
}

func (w *DayWrite) remove(ctx context.Context, players []string) (removed int64, err error) {
	var running int64
	err = w.db.Change(ctx, "remove players of "+w.mode+" "+w.date.String(), `
WITH run AS (
    SELECT FROM archived_days WHERE mode = $1 AND date = $2 AND begun = $3 FOR SHARE
), removed AS (
    DELETE FROM results USING run WHERE mode = $1 AND date = $2 AND player = ANY ($4) RETURNING 1
)
SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM removed)`,
		[]any{w.mode, w.date.Midnight(), w.number, players}, &running, &removed)
	if err == nil && running == 0 {
		return 0, ErrSuperseded
	}
	return removed, err
}
