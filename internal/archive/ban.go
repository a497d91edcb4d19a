package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Banned is a player who may not play.
type Banned struct {
	Player string // a digest, where the player has been erased
	Reason string
	At     time.Time
	By     string
}

// Ban keeps a player out. One who is banned already stays so as before.
// 1 round trip.
func (a *Archive) Ban(ctx context.Context, player, reason string, act Act) error {
	return a.together(ctx, "ban a player", func(b *pgx.Batch) {
		// A row that Redis alone knew of has its digest for a player, and no reason.
		b.Queue(`
INSERT INTO bans AS old (player, member, reason, banned_at, banned_by)
SELECT $1, ban_member($1), $2, $3, $4 WHERE NOT EXISTS (SELECT FROM bans WHERE player IN ($1, player_digest($1)))
ON CONFLICT (member) DO UPDATE SET player = excluded.player, reason = excluded.reason, banned_at = excluded.banned_at, banned_by = excluded.banned_by
WHERE old.player = old.member`, player, reason, act.At, act.Actor)
		b.Queue(insertAudit, AuditEntry{Act: act, Action: "ban", Player: player}.arguments()...)
	})
}

// Unban lets a player in again.
// 1 round trip.
func (a *Archive) Unban(ctx context.Context, player string, act Act) error {
	return a.together(ctx, "lift a ban", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM bans WHERE player IN ($1, player_digest($1)) OR member = ban_member($1)`, player)
		b.Queue(insertAudit, AuditEntry{Act: act, Action: "unban", Player: player}.arguments()...)
	})
}

// IsBanned reports whether a player is kept out, erased or not.
// 1 round trip.
func (a *Archive) IsBanned(ctx context.Context, player string) (banned bool, err error) {
	err = a.change(ctx, "look for a ban", `SELECT EXISTS (SELECT FROM bans WHERE player IN ($1, player_digest($1)) OR member = ban_member($1))`,
		[]any{player}, &banned)
	return banned, err
}

// Bans lists who is kept out, newest first.
// 1 round trip.
func (a *Archive) Bans(ctx context.Context) ([]Banned, error) {
	return collect(ctx, a, "list the bans", `
SELECT player, reason, banned_at, banned_by FROM bans ORDER BY banned_at DESC, player`, nil,
		func(rows pgx.Rows, b *Banned) error { return rows.Scan(&b.Player, &b.Reason, &b.At, &b.By) })
}
