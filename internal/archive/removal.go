package archive

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/framedle/leaderboards/internal/game"
)

// staleSnapshots marks as stale the snapshots of the weeks, months and seasons that a removed
// result counted for. It reads from removed (mode, date, scopes).
const staleSnapshots = `
    UPDATE leaderboard_snapshots AS s SET stale = true FROM removed
    WHERE s.mode = removed.mode AND NOT s.stale
      AND ((s.period = 'week' AND s.period_key = to_char(removed.date, 'IYYY"-W"IW'))
        OR (s.period = 'month' AND s.period_key = to_char(removed.date, 'YYYY-MM'))
        OR (s.period = 'season' AND removed.date BETWEEN s.first_day AND s.last_day))
      AND (s.scope = '' OR s.scope = ANY (removed.scopes) OR s.scope = 'groups' AND removed.scopes IS NOT NULL)`

// Delete removes a player's result of one day. It supersedes a run that is writing the day,
// since the run may have read the result before it was removed from Redis: so remove it from
// Redis first. If there is no result, Delete only writes to the audit.
// 1 round trip.
func (a Results) Delete(ctx context.Context, mode string, d game.Date, player string, act game.Act) (removed bool, err error) {
	err = a.db.Together(ctx, "delete a result", func(b *pgx.Batch) {
		b.Queue(`UPDATE archived_days SET begun = begun + 1 WHERE mode = $1 AND date = $2`, mode, d.Midnight())
		b.Queue(`DELETE FROM submissions WHERE mode = $1 AND date = $2 AND player = $3`, mode, d.Midnight(), player)
		for _, tables := range a.db.tables {
			if tables.DeleteResult != nil {
				tables.DeleteResult(b, mode, d, player)
			}
		}
		b.Queue(`
WITH removed AS (
    DELETE FROM results WHERE mode = $1 AND date = $2 AND player = $3 RETURNING mode, date, scopes
), stale AS (`+staleSnapshots+`
), fewer AS (
    UPDATE archived_days SET players = greatest(players - 1, 0)
    WHERE mode = $1 AND date = $2 AND EXISTS (SELECT FROM removed)
)
SELECT EXISTS (SELECT FROM removed)`, mode, d.Midnight(), player).
			QueryRow(func(row pgx.Row) error { return row.Scan(&removed) })
		AuditEntry{Act: act, Action: "delete_result", Player: player, Mode: mode, Date: d}.Queue(b)
	})
	return removed, err
}

// Keeps reports whether the archive has anything of a player besides results: what a restore
// brings to Redis, what others have done about the player, and what the player has won. If so,
// an erasure is noted in Redis: otherwise a restore that has already read the player would
// bring the player back.
// 1 round trip.
func (a *Archive) Keeps(ctx context.Context, player string) (keeps bool, err error) {
	err = a.db.Together(ctx, "look for a player", func(b *pgx.Batch) {
		keeps = false
		found := func(rows pgx.Rows) error {
			keeps = rows.Next() || keeps
			return nil
		}
		b.Queue(`SELECT WHERE EXISTS (SELECT FROM profiles WHERE player = $1)
    OR EXISTS (SELECT FROM submissions WHERE player = $1) OR EXISTS (SELECT FROM achievements WHERE player = $1)`, player).Query(found)
		for _, tables := range a.db.tables {
			if tables.Keeps != nil {
				tables.Keeps(b, player).Query(found)
			}
		}
	})
	return keeps, err
}

// Erasure counts what ErasePlayer removed or made anonymous.
type Erasure struct {
	Results, Snapshots, Achievements, Profiles, Submissions, Bans, Audit int64
}

// ErasePlayer removes a player from everything. It deletes results, submissions, achievements, the
// profile, and what the tables of features have. Snapshots show Erased in the player's place, and
// become stale. A ban and the audit keep a digest: it shows whether a known id is meant, but does
// not reveal the id. ErasePlayer supersedes runs that are writing a day, as [Results.Delete]
// does: remove the player from Redis first. Of devices that the player has claimed it deletes
// submissions and profiles; the caller has these devices erased.
//
// All of it happens or none. Erasing again finds nothing to remove; the audit notes it once
// for each act.
// 1 round trip.
func (a *Archive) ErasePlayer(ctx context.Context, player string, act game.Act) (Erasure, error) {
	var e Erasure
	err := a.db.Long().Together(ctx, "erase a player", func(b *pgx.Batch) {
		b.Queue(noteErasure, player, act.At)
		b.Queue(`UPDATE archived_days SET begun = begun + 1 WHERE begun > finished`)
		counted(b, &e.Results, eraseResults, player)
		counted(b, &e.Snapshots, eraseSnapshots, player, Erased)
		for _, tables := range a.db.tables {
			if tables.Erase != nil {
				tables.Erase(b, player)
			}
		}
		b.Queue(eraseNews, player)
		counted(b, &e.Achievements, `DELETE FROM achievements WHERE player = $1`, player)
		counted(b, &e.Profiles, `DELETE FROM profiles WHERE player = `+WithDevices, player)
		counted(b, &e.Submissions, `DELETE FROM submissions WHERE player = `+WithDevices, player)
		// Claims keep who has claimed a device, by digests; their scores are deleted.
		b.Queue(`UPDATE claims SET days = '{}', device_id = NULL WHERE ban_member($1) IN (player, device)`, player)
		counted(b, &e.Bans, eraseBan, player)
		counted(b, &e.Audit, eraseFromAudit, player)
		AuditEntry{Act: act, Action: "erase", Player: player}.Queue(b)
	})
	return e, err
}

// counted queues a statement and counts the rows that it changes or returns.
func counted(b *pgx.Batch, n *int64, statement string, arguments ...any) {
	b.Queue(statement, arguments...).Exec(func(done pgconn.CommandTag) error {
		*n = done.RowsAffected()
		return nil
	})
}

// The steps of an erasure of the player $1, besides those that stand with their tables.
const (
	// $2 when it happens
	noteErasure = `
INSERT INTO erasures (digest, erased_at) VALUES (player_digest($1), $2)
ON CONFLICT (digest) DO UPDATE SET erased_at = greatest(erasures.erased_at, excluded.erased_at)`

	// eraseResults returns a row for each result.
	eraseResults = `
WITH removed AS (
    DELETE FROM results WHERE player = $1 RETURNING mode, date, scopes
), stale AS (` + staleSnapshots + `
), fewer AS (
    UPDATE archived_days AS day SET players = greatest(players - 1, 0) FROM removed
    WHERE day.mode = removed.mode AND day.date = removed.date
)
SELECT FROM removed`

	// $2 Erased
	eraseSnapshots = `
UPDATE leaderboard_snapshots SET entries = (
    SELECT jsonb_agg(CASE WHEN entry->>'player' = $1 THEN jsonb_set(entry, '{player}', to_jsonb($2::text)) ELSE entry END
                     ORDER BY place)
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS listed (entry, place)
), stale = true
WHERE jsonb_path_query_array(entries, '$[*].player') @> to_jsonb($1::text)`

	eraseBan = `
UPDATE bans SET player = player_digest($1), banned_by = CASE WHEN banned_by = $1 THEN player_digest($1) ELSE banned_by END
WHERE player = $1`

	eraseFromAudit = `
UPDATE audit SET
    actor = CASE WHEN actor = $1 THEN player_digest($1) ELSE actor END,
    player = CASE WHEN player = $1 THEN player_digest($1) ELSE player END,
    detail = replace(detail::text, '"' || $1 || '"', '"' || player_digest($1) || '"')::jsonb
WHERE player = $1 OR actor = $1 OR strpos(detail::text, '"' || $1 || '"') > 0`
)
