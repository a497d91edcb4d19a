package archive

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// AuditEntry is one row of the audit.
type AuditEntry struct {
	game.Act
	Action string
	Player string    // "" is nobody
	Mode   string    // "" is no mode
	Date   game.Date // zero is no date
	// Detail is a JSON object. It may contain a player's id only as a whole string, so that an
	// erasure can find it.
	Detail json.RawMessage
}

// insertAudit writes a row. An erased player's digest takes the place of the id.
//
// $1 id, $2 at, $3 actor, $4 action, $5 player, $6 mode, $7 date, $8 detail
const insertAudit = `
INSERT INTO audit (id, at, actor, action, player, mode, date, detail)
SELECT $1, $2, coalesce((SELECT digest FROM erasures WHERE digest = player_digest($3)), $3), $4,
       coalesce((SELECT digest FROM erasures WHERE digest = player_digest($5)), $5), $6, $7, $8::text::jsonb
ON CONFLICT (id) DO NOTHING`

// Queue queues the entry's row.
func (e AuditEntry) Queue(b *pgx.Batch) { b.Queue(insertAudit, e.arguments()...) }

func (e AuditEntry) arguments() []any {
	return []any{e.ID, e.At, e.Actor, e.Action, orNull(e.Player), orNull(e.Mode), dateOrNull(e.Date), orNull(string(e.Detail))}
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func dateOrNull(d game.Date) *time.Time {
	if d.IsZero() {
		return nil
	}
	midnight := d.Midnight()
	return &midnight
}

// Audit is what operators and players have done to others and to themselves.
type Audit struct{ db *DB }

// Put notes something that was done elsewhere. A ban, the end of a ban, an erasure and the
// removal of a result write their own entries.
// 1 round trip.
func (a Audit) Put(ctx context.Context, e AuditEntry) error {
	return a.db.Run(ctx, "note in the audit", insertAudit, e.arguments()...)
}

// Before reads the entries that come after one act, newest first; the zero Act is the
// beginning. With a player, who may be erased, it reads only entries about that player or made
// by that player.
// 1 round trip.
func (a Audit) Before(ctx context.Context, player string, after game.Act, limit int) ([]AuditEntry, error) {
	var before *time.Time
	if !after.At.IsZero() {
		before = &after.At
	}
	return Collect(ctx, a.db, "read the audit", `
SELECT id, at, actor, action, coalesce(player, '') AS player, coalesce(mode, '') AS mode, date, detail FROM audit
WHERE ($1::text IS NULL OR player IN ($1, player_digest($1)) OR actor IN ($1, player_digest($1)))
  AND ($2::timestamptz IS NULL OR at < $2 OR at = $2 AND id > $3)
ORDER BY at DESC, id LIMIT $4`, []any{orNull(player), before, after.ID, limit}, pgx.RowToStructByName[AuditEntry])
}
