package auditstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/game"
)

// Table is the record of what submissions did, in games with an audit.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// PlayerDay is a player's day in a mode.
type PlayerDay struct {
	Mode   string
	Date   game.Date
	Player string
}

// Trail is what the record and the rest of the archive have of a player's day.
type Trail struct {
	Last    *audit.Entry // the last recorded submission; nil: none yet
	Removed []time.Time  // when the result was removed
	Claimed []time.Time  // when a device's play was added by a claim
}

// History is what the archive knows about some submissions before they are judged.
type History struct {
	Has     []bool                 // for each submission, whether it is recorded
	Trails  map[PlayerDay]Trail    // of the day of each submission's player
	Counted map[string][]time.Time // by [game.Posted.Once], when such submissions counted
}

// Record adds submissions to the record, up to [archive.MostRows] in the order in which Redis took them,
// and returns the number of new ones. judge determines what they did from what the archive
// knew before them. One run judges at a time, so that each sees the records of all earlier
// ones. Submissions that an erased player made before the erasure are left out.
// 4 round trips; 3 where nothing is new.
func (a Table) Record(ctx context.Context, sent []game.Posted, judge func(History) ([]audit.Entry, error)) (added int64, err error) {
	err = a.db.Do(ctx, "record what submissions did", func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			past, err := readPast(ctx, tx, sent)
			if err != nil {
				return err
			}
			rows, err := judge(past)
			if err != nil || len(rows) == 0 {
				return err
			}
			added, err = insertAudited(ctx, tx, rows)
			return err
		})
	})
	return added, err
}

// lock makes a run that records or erases wait until the previous one has committed.
const lock = `SELECT pg_advisory_xact_lock(hashtext('score_audit'))`

// countedFor is how long before a submission another one with the same Once may have counted:
// as long as a day takes scores.
const countedFor = 34 * 24 * time.Hour

// readPast waits for a run that is recording, and then reads. The lock comes first, since
// each statement sees the state in which it began.
func readPast(ctx context.Context, tx pgx.Tx, sent []game.Posted) (past History, err error) {
	n := len(sent)
	past = History{Has: make([]bool, 0, n), Trails: map[PlayerDay]Trail{}, Counted: map[string][]time.Time{}}
	modes, players, once := make([]string, n), make([]string, n), []string{}
	dates, taken, numbers := make([]time.Time, n), make([]time.Time, n), make([]int64, n)
	for i, s := range sent {
		modes[i], players[i], dates[i] = s.Mode, s.Player, s.Date.Midnight()
		if taken[i], numbers[i], err = s.TakenAt(); err != nil {
			return past, err
		}
		if s.Once != "" {
			once = append(once, s.Once)
		}
	}
	var batch pgx.Batch
	batch.Queue(lock)
	batch.Queue(`
SELECT EXISTS (SELECT FROM score_audit AS a WHERE a.mode = s.mode AND a.at = s.at AND a.n = s.n AND a.date = s.date)
FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::date[]) WITH ORDINALITY AS s (mode, at, n, date, place) ORDER BY place`,
		modes, taken, numbers, dates).Query(func(rows pgx.Rows) error {
		past.Has, err = pgx.CollectRows(rows, pgx.RowTo[bool])
		return err
	})
	batch.Queue(`
SELECT d.mode, d.date, d.player, last.at, last.n, last.stands, last.outcome,
    ARRAY(SELECT act.at FROM audit AS act WHERE act.player = d.player
          AND (act.action = 'ban' OR act.action = 'delete_result' AND act.mode = d.mode AND act.date = d.date)),
    ARRAY(SELECT claimed_at FROM claims WHERE claims.player = ban_member(d.player) AND days ? (d.mode || to_char(d.date, ':YYYY-MM-DD')))
FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::date[], $3::text[]) AS sent (mode, date, player)) AS d
LEFT JOIN LATERAL (
    SELECT at, n, stands, outcome FROM score_audit AS a
    WHERE a.player = d.player AND a.mode = d.mode AND a.date = d.date
    ORDER BY at DESC, n DESC LIMIT 1
) AS last ON true`, modes, dates, players).Query(func(rows pgx.Rows) error { return past.takeTrails(rows) })
	if len(once) > 0 {
		batch.Queue(`
SELECT once, at FROM score_audit WHERE once = ANY ($1) AND outcome IN ('accepted', 'improved', 'unknown') AND at >= $2::timestamptz`,
			once, taken[0].Add(-countedFor)).Query(func(rows pgx.Rows) error {
			var id string
			var at time.Time
			_, err := pgx.ForEachRow(rows, []any{&id, &at}, func() error {
				past.Counted[id] = append(past.Counted[id], at)
				return nil
			})
			return err
		})
	}
	return past, tx.SendBatch(ctx, &batch).Close()
}

func (p *History) takeTrails(rows pgx.Rows) error {
	var of PlayerDay
	var at *time.Time
	var n *int64
	var current *float64
	var outcome *string
	var removed, claimed []time.Time
	_, err := pgx.ForEachRow(rows, []any{&of.Mode, &of.Date, &of.Player, &at, &n, &current, &outcome, &removed, &claimed}, func() error {
		trail := Trail{Removed: removed, Claimed: claimed}
		if at != nil {
			trail.Last = &audit.Entry{Taken: *at, N: *n, After: current, Outcome: game.Status(*outcome)}
		}
		p.Trails[of] = trail
		removed, claimed, current = nil, nil, nil
		return nil
	})
	return err
}

func insertAudited(ctx context.Context, tx pgx.Tx, rows []audit.Entry) (added int64, err error) {
	n := len(rows)
	at, numbers, modes, dates, players := make([]time.Time, n), make([]int64, n), make([]string, n), make([]time.Time, n), make([]string, n)
	stored, stood, current := make([]float64, n), make([]*float64, n), make([]*float64, n)
	outcomes, by, played, once := make([]string, n), make([]string, n), make([]time.Time, n), make([]string, n)
	for i, r := range rows {
		at[i], numbers[i], modes[i], dates[i], players[i] = r.Taken, r.N, r.Mode, r.Date.Midnight(), r.Player
		stored[i], stood[i], current[i] = r.Stored, r.Before, r.After
		outcomes[i], by[i], played[i], once[i] = string(r.Outcome), string(r.By), r.At, r.Once
	}
	tag, err := tx.Exec(ctx, `
INSERT INTO score_audit (at, n, mode, date, player, stored, stood, stands, outcome, sent_by, played_at, once)
SELECT at, n, mode, date, player, stored, stood, stands, outcome, nullif(sent_by, ''), played_at, nullif(once, '')
FROM unnest($1::timestamptz[], $2::bigint[], $3::text[], $4::date[], $5::text[], $6::double precision[], $7::double precision[],
    $8::double precision[], $9::text[], $10::text[], $11::timestamptz[], $12::text[])
    AS rows (at, n, mode, date, player, stored, stood, stands, outcome, sent_by, played_at, once)
WHERE NOT erased_since(player, played_at)
ON CONFLICT DO NOTHING`, at, numbers, modes, dates, players, stored, stood, current, outcomes, by, played, once)
	return tag.RowsAffected(), err
}

const auditColumns = `SELECT at, n, mode, date, player, stored, stood, stands, outcome, coalesce(sent_by, ''), played_at, coalesce(once, '') FROM score_audit `

// auditOfMode and auditOfPlayer read a page: by date, mode and time, all descending.
//
// $1 from, $2 to, $3 to $6 the place before, $7 limit, $8 mode or "", $9 player
const (
	auditPlace    = ` AND date BETWEEN $1 AND $2 AND (date, mode, at, n) < ($3, $4, $5, $6)`
	auditOrder    = ` ORDER BY date DESC, mode DESC, at DESC, n DESC LIMIT $7`
	auditOfMode   = auditColumns + `WHERE mode = $8` + auditPlace + auditOrder
	auditOfOne    = `AND ($8 = '' OR mode = $8)` + auditPlace + auditOrder
	auditOfPlayer = `
SELECT * FROM (
    (` + auditColumns + `WHERE player = $9 ` + auditOfOne + `)
    UNION ALL
    (` + auditColumns + `WHERE player = player_digest($9) ` + auditOfOne + `)
) AS of_player` + auditOrder
)

// Before reads the records after a place, in the order of [audit.Place]: the newest date
// first. A query with neither a player nor a mode finds nothing.
// 1 round trip.
func (a Table) Before(ctx context.Context, q audit.Query, after audit.Place, limit int) ([]audit.Entry, error) {
	if after == (audit.Place{}) {
		after = audit.Place{Date: q.To.AddDays(1)}
	}
	args := []any{q.From.Midnight(), q.To.Midnight(), after.Date.Midnight(), after.Mode, after.Taken, after.N, limit, q.Mode}
	if q.Player == "" {
		return archive.Collect(ctx, a.db, "read the record of "+q.Mode, auditOfMode, args, scanAudited)
	}
	return archive.Collect(ctx, a.db, "read the record of a player", auditOfPlayer, append(args, q.Player), scanAudited)
}

func scanAudited(row pgx.CollectableRow) (s audit.Entry, err error) {
	return s, row.Scan(&s.Taken, &s.N, &s.Mode, &s.Date, &s.Player, &s.Stored, &s.Before, &s.After, &s.Outcome, &s.By, &s.At, &s.Once)
}

// Tend creates the record's tables for every month from the month of today to the month of
// ahead, and for months that have rows in the default table, and moves those rows there. It
// drops tables of months that ended more than so many months ago. All of it happens or none;
// any number of callers may do so at once. If somebody has been reading the record for long,
// Tend fails soon, since everybody else waits behind it.
// 1 round trip; 2 where there is something to do.
func (a Table) Tend(ctx context.Context, today, ahead game.Date, months int) error {
	return a.db.Do(ctx, "keep the record by months", func(ctx context.Context, c *pgx.Conn) error {
		var due bool
		// A statement of its own: a transaction that has read a table keeps others from
		// locking it.
		err := c.QueryRow(ctx, `
SELECT EXISTS (SELECT FROM score_audit_default) OR EXISTS (SELECT missing_score_audit($1, $2)) OR EXISTS (SELECT expired_score_audit($1, $3))`,
			today.Midnight(), ahead.Midnight(), months).Scan(&due)
		if err != nil || !due {
			return err
		}
		var both pgx.Batch // one transaction
		both.Queue(tendingWaits)
		both.Queue(`SELECT tend_score_audit($1, $2, $3)`, today.Midnight(), ahead.Midnight(), months)
		return c.SendBatch(ctx, &both).Close()
	})
}

// tendingWaits limits how long this transaction waits for a table: everybody who records or
// reads meanwhile waits behind it, and so does the closing of days. The next run tries again.
const tendingWaits = `SELECT set_config('lock_timeout', '2s', true)`

// MostAstray is the largest count that Astray returns.
const MostAstray = 1000

// Astray counts the rows of the record that are in the default table because their month had
// no table, up to [MostAstray].
// 1 round trip.
func (a Table) Astray(ctx context.Context) (rows int64, err error) {
	err = a.db.Do(ctx, "look for rows of the record without a month's table", func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM score_audit_default LIMIT $1) AS found`, MostAstray).Scan(&rows)
	})
	return rows, err
}
