package archive

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

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

// Before reads the records after a place, in the order of [game.AuditPlace]: the newest date
// first. A query with neither a player nor a mode finds nothing.
// 1 round trip.
func (a ScoreAudit) Before(ctx context.Context, q game.AuditQuery, after game.AuditPlace, limit int) ([]game.Audited, error) {
	if after == (game.AuditPlace{}) {
		after = game.AuditPlace{Date: q.To.AddDays(1)}
	}
	args := []any{q.From.Midnight(), q.To.Midnight(), after.Date.Midnight(), after.Mode, after.Taken, after.N, limit, q.Mode}
	if q.Player == "" {
		return collect(ctx, a.db, "read the record of "+q.Mode, auditOfMode, args, scanAudited)
	}
	return collect(ctx, a.db, "read the record of a player", auditOfPlayer, append(args, q.Player), scanAudited)
}

func scanAudited(row pgx.CollectableRow) (s game.Audited, err error) {
	return s, row.Scan(&s.Taken, &s.N, &s.Mode, &s.Date, &s.Player, &s.Stored, &s.Stood, &s.Stands, &s.Outcome, &s.By, &s.At, &s.Once)
}
