package backfill

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Table brings a game's past into the archive, from files that a digest identifies. It stores
// its progress in one transaction with each page of rows: an import that begins again resumes
// where it stopped, and puts nothing twice.
type Table struct {
	db *archive.DB
	id string
}

// NewTable returns the import with that id. It asks Postgres nothing.
func NewTable(a *archive.Archive, id string) *Table { return &Table{a.DB(), id} }

// TableState is how far an import has come.
type TableState struct {
	Begun    bool
	Finished time.Time // zero: not yet
	Other    string    // files of another import that began and has not ended
}

// State reads how far the import has come.
// 1 round trip.
func (i *Table) State(ctx context.Context) (s TableState, err error) {
	type found struct {
		ID, Files  string
		FinishedAt time.Time // zero: not yet
	}
	all, err := archive.Collect(ctx, i.db, "look for the import", `
SELECT id, files, finished_at FROM imports WHERE id = $1 OR finished_at IS NULL`, []any{i.id}, pgx.RowToStructByName[found])
	for _, f := range all {
		if f.ID == i.id {
			s.Begun, s.Finished = true, f.FinishedAt
		} else {
			s.Other = f.Files
		}
	}
	return s, err
}

// Begin notes that the import has begun. It deletes the progress of other imports that were
// cut off; the rows that those have put stay.
// 1 round trip.
func (i *Table) Begin(ctx context.Context, files string, at time.Time) error {
	return i.db.Together(ctx, "begin the import", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM imports WHERE finished_at IS NULL AND id <> $1`, i.id)
		b.Queue(`INSERT INTO imports (id, files, begun_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, i.id, files, at)
	})
}

// Finish notes that the import is done, and writes it to the audit.
// 1 round trip.
func (i *Table) Finish(ctx context.Context, e archive.AuditEntry) error {
	return i.db.Together(ctx, "finish the import", func(b *pgx.Batch) {
		b.Queue(`UPDATE imports SET finished_at = $2 WHERE id = $1`, i.id, e.At)
		e.Queue(b)
	})
}

// TableEntry is a day of a mode that the import has begun.
type TableEntry struct {
	Mode string
	Date game.Date
	Done bool
}

// Days lists the days that the import has begun.
// 1 round trip.
func (i *Table) Days(ctx context.Context) ([]TableEntry, error) {
	return archive.Collect(ctx, i.db, "list the days of the import", `
SELECT mode, date, done FROM imported_days WHERE import = $1`, []any{i.id}, pgx.RowToStructByName[TableEntry])
}

// FindErased lists those of the players who have been erased at their moment or later. Call it
// after the day has begun: a later erasure supersedes the day.
// 1 round trip.
func (i *Table) FindErased(ctx context.Context, players []string, moments []time.Time) ([]string, error) {
	return archive.Collect(ctx, i.db, "look for erased players", `
SELECT DISTINCT player FROM unnest($1::text[], $2::timestamptz[]) AS rows (player, moment)
WHERE erased_since(player, moment)`, []any{players, moments}, pgx.RowTo[string])
}

// PutNames fills in what is missing in profiles. Where both have something, the newer counts.
// It never changes whether a player is hidden.
// 1 round trip.
func (i *Table) PutNames(ctx context.Context, profiles []game.PlayerProfile) error {
	if len(profiles) == 0 {
		return nil
	}
	var players, names, pictures, countries []string
	var answer []time.Time
	for _, p := range profiles {
		players, names, pictures = append(players, p.Player), append(names, p.Name), append(pictures, p.Picture)
		countries, answer = append(countries, p.Country), append(answer, p.UpdatedAt)
	}
	return i.db.Run(ctx, "put names", `
WITH given AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
         AS rows (player, name, picture, country, reported_at)
), merged AS (
    SELECT given.player,
        CASE WHEN newer THEN coalesce(nullif(given.name, ''), old.name, '')
                        ELSE coalesce(nullif(old.name, ''), given.name) END AS name,
        CASE WHEN newer THEN coalesce(nullif(given.picture, ''), old.picture, '')
                        ELSE coalesce(nullif(old.picture, ''), given.picture) END AS picture,
        CASE WHEN newer THEN coalesce(nullif(given.country, ''), old.country, '')
                        ELSE coalesce(nullif(old.country, ''), given.country) END AS country,
        coalesce(greatest(old.updated_at, reported_at), reported_at) AS updated_at
    FROM given LEFT JOIN profiles AS old USING (player),
         LATERAL (SELECT old.updated_at IS NULL OR old.updated_at <= reported_at AS newer) AS which
    WHERE NOT erased_since(given.player, reported_at)
)
INSERT INTO profiles AS old (player, name, picture, country, updated_at)
SELECT player, name, picture, country, updated_at FROM merged ORDER BY player
ON CONFLICT (player) DO UPDATE
SET name = excluded.name, picture = excluded.picture, country = excluded.country, updated_at = excluded.updated_at
WHERE (old.name, old.picture, old.country) IS DISTINCT FROM (excluded.name, excluded.picture, excluded.country)`,
		players, names, pictures, countries, answer)
}

// staleTops marks the snapshots of the day's week and month as stale, so that they are taken
// again: they lack some of its results.
const staleTops = `
UPDATE leaderboard_snapshots SET stale = true WHERE mode = $1 AND NOT stale
  AND (period = 'week' AND period_key = to_char($2::date, 'IYYY"-W"IW') OR period = 'month' AND period_key = to_char($2::date, 'YYYY-MM'))`

// TableDay is a day of a mode that the import writes. Like an [archive.DayWrite], it is superseded by
// every run that begins to write the day later.
type TableDay struct {
	of     *Table
	mode   string
	date   game.Date
	number int64 // of the run, among those of its day
	// Through is the last player that is in: leave out the players up to and including it.
	Through string
	Done    bool
	New     bool // no run had begun the day before: the archive has nothing of it
	Erased  bool // some player has been erased, ever
}

// BeginDay begins to write a day, or continues it.
// 1 round trip.
func (i *Table) BeginDay(ctx context.Context, mode string, d game.Date) (*TableDay, error) {
	day := &TableDay{of: i, mode: mode, date: d}
	err := i.db.Together(ctx, "begin "+mode+" "+d.String(), func(b *pgx.Batch) {
		b.Queue(`SELECT ensure_results_partition($1)`, d.Midnight())
		b.Queue(`
INSERT INTO archived_days AS old (mode, date, closing) VALUES ($1, $2, 1)
ON CONFLICT (mode, date) DO UPDATE SET begun = old.begun + 1, closing = old.begun + 1
RETURNING begun`, mode, d.Midnight()).QueryRow(func(row pgx.Row) error { return row.Scan(&day.number) })
		b.Queue(staleTops, mode, d.Midnight())
		b.Queue(`INSERT INTO imported_days (import, mode, date) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, i.id, mode, d.Midnight())
		b.Queue(`SELECT through, done FROM imported_days WHERE import = $1 AND mode = $2 AND date = $3`, i.id, mode, d.Midnight()).
			QueryRow(func(row pgx.Row) error { return row.Scan(&day.Through, &day.Done) })
		b.Queue(`SELECT EXISTS (SELECT FROM erasures)`).QueryRow(func(row pgx.Row) error { return row.Scan(&day.Erased) })
	})
	day.New = day.number == 1
	return day, err
}

// Results reads the results that the archive has of some players on the day.
// 1 round trip.
func (d *TableDay) Results(ctx context.Context, players []string) ([]game.Result, error) {
	return archive.Collect(ctx, d.of.db, "read "+d.mode+" "+d.date.String(), `
SELECT player, stored, scopes, scoped_stored, details FROM unnest($3::text[]) AS given (id), LATERAL (
    SELECT * FROM results WHERE player = given.id AND date = $2 AND mode || '' = $1 LIMIT 1
) AS row`, []any{d.mode, d.date.Midnight(), players}, archive.ScanResult)
}

// Put writes up to [archive.MostRows] results, each in place of the player's earlier one, and notes that
// the players up to the last of them are in.
// 1 round trip. Errors: ErrSuperseded.
func (d *TableDay) Put(ctx context.Context, results []game.Result) error {
	if len(results) == 0 {
		return nil
	}
	last := slices.MaxFunc(results, func(a, b game.Result) int { return strings.Compare(a.Player, b.Player) })
	var running, written int64
	err := d.of.db.Together(ctx, "put "+d.mode+" "+d.date.String(), func(b *pgx.Batch) {
		archive.QueueResults(b, d.mode, d.date, d.number, results, &running, &written)
		b.Queue(`
UPDATE imported_days SET through = $4 WHERE import = $1 AND mode = $2 AND date = $3
  AND EXISTS (SELECT FROM archived_days WHERE mode = $2 AND date = $3 AND begun = $5)`,
			d.of.id, d.mode, d.date.Midnight(), last.Player, d.number)
	})
	if err == nil && running == 0 {
		return archive.ErrSuperseded
	}
	return err
}

// Finish notes that the day is complete: the import has put all its results, beside those that
// were there.
// 1 round trip, which counts the day's rows. Errors: ErrSuperseded.
func (d *TableDay) Finish(ctx context.Context, at time.Time) error {
	var players int64
	err := d.of.db.Together(ctx, "finish "+d.mode+" "+d.date.String(), func(b *pgx.Batch) {
		b.Queue(`
UPDATE archived_days SET finished = begun, complete = true, archived_at = $4,
    players = (SELECT count(*) FROM results WHERE mode = $1 AND date = $2)
WHERE mode = $1 AND date = $2 AND begun = $3 RETURNING players`, d.mode, d.date.Midnight(), d.number, at).
			QueryRow(func(row pgx.Row) error { return row.Scan(&players) })
		b.Queue(staleTops, d.mode, d.date.Midnight())
		b.Queue(`
UPDATE imported_days SET done = true, through = '' WHERE import = $1 AND mode = $2 AND date = $3
  AND EXISTS (SELECT FROM archived_days WHERE mode = $2 AND date = $3 AND begun = $4)`,
			d.of.id, d.mode, d.date.Midnight(), d.number)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return archive.ErrSuperseded
	}
	return err
}
