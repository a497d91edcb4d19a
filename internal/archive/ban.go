package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Bans are who may not play.
type Bans struct{ db *database }

// Put keeps a player out. One who is banned already stays so as before.
// 1 round trip.
func (a Bans) Put(ctx context.Context, player, reason string, act game.Act) error {
	return a.db.together(ctx, "ban a player", func(b *pgx.Batch) {
		// A row that Redis alone knew of has its digest for a player, and no reason.
		b.Queue(`
INSERT INTO bans AS old (player, member, reason, banned_at, banned_by)
SELECT $1, ban_member($1), $2, $3, $4 WHERE NOT EXISTS (SELECT FROM bans WHERE player IN ($1, player_digest($1)))
ON CONFLICT (member) DO UPDATE SET player = excluded.player, reason = excluded.reason, banned_at = excluded.banned_at, banned_by = excluded.banned_by
WHERE old.player = old.member`, player, reason, act.At, act.Actor)
		b.Queue(insertAudit, AuditEntry{Act: act, Action: "ban", Player: player}.arguments()...)
	})
}

// Lift lets a player in again.
// 1 round trip.
func (a Bans) Lift(ctx context.Context, player string, act game.Act) error {
	return a.db.together(ctx, "lift a ban", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM bans WHERE player IN ($1, player_digest($1)) OR member = ban_member($1)`, player)
		b.Queue(insertAudit, AuditEntry{Act: act, Action: "unban", Player: player}.arguments()...)
	})
}

// Has reports whether a player is kept out, erased or not.
// 1 round trip.
func (a Bans) Has(ctx context.Context, player string) (banned bool, err error) {
	err = a.db.change(ctx, "look for a ban", `SELECT EXISTS (SELECT FROM bans WHERE player IN ($1, player_digest($1)) OR member = ban_member($1))`,
		[]any{player}, &banned)
	return banned, err
}

// All lists who is kept out, newest first.
// 1 round trip.
func (a Bans) All(ctx context.Context) ([]game.Ban, error) {
	return collect(ctx, a.db, "list the bans", `
SELECT player, reason, banned_at, banned_by FROM bans ORDER BY banned_at DESC, player`, nil,
		func(rows pgx.Rows, b *game.Ban) error { return rows.Scan(&b.Player, &b.Reason, &b.At, &b.By) })
}

// ErrNoBan is returned for a player who is not kept out.
var ErrNoBan = errors.New("the player is not banned")

// Of reads a player's ban, erased or not. Errors: ErrNoBan.
// 1 round trip.
func (a Bans) Of(ctx context.Context, player string) (b game.Ban, err error) {
	err = a.db.change(ctx, "read a ban", `
SELECT player, reason, banned_at, banned_by FROM bans WHERE player IN ($1, player_digest($1)) ORDER BY banned_at LIMIT 1`,
		[]any{player}, &b.Player, &b.Reason, &b.At, &b.By)
	if errors.Is(err, pgx.ErrNoRows) {
		return game.Ban{}, fmt.Errorf("%w", ErrNoBan)
	}
	b.At = b.At.UTC()
	return b, err
}

// Before lists who is kept out after a place, newest first.
// 1 round trip.
func (a Bans) Before(ctx context.Context, at time.Time, player string, limit int) ([]game.Ban, error) {
	return collect(ctx, a.db, "list bans", `
SELECT player, reason, banned_at, banned_by FROM bans WHERE (banned_at, player) < ($1, $2)
ORDER BY banned_at DESC, player DESC LIMIT $3`, []any{at, player, limit},
		func(rows pgx.Rows, b *game.Ban) error {
			err := rows.Scan(&b.Player, &b.Reason, &b.At, &b.By)
			b.At = b.At.UTC()
			return err
		})
}

// Count counts who is kept out.
// 1 round trip.
func (a Bans) Count(ctx context.Context) (n int64, err error) {
	return n, a.db.change(ctx, "count bans", `SELECT count(*) FROM bans`, nil, &n)
}

// bannedMember is what Redis knows the player of a row by; null where that was
// not kept when the player was erased.
const bannedMember = `coalesce(member, CASE WHEN player NOT LIKE 'erased:%' THEN ban_member(player) END)`

// byRedis is who has banned a player of whose ban Redis alone knew.
const byRedis = "redis"

// PutMembers keeps bans that Redis knows, by its digests, of which nothing else is
// known. Where a profile tells whose digest it is, the ban names the player.
// 1 round trip.
func (a Bans) PutMembers(ctx context.Context, members []string, at time.Time) error {
	return a.db.together(ctx, "keep bans", func(b *pgx.Batch) {
		b.Queue(`
INSERT INTO bans (player, member, reason, banned_at, banned_by)
SELECT m, m, '', $2, $3 FROM unnest($1::text[]) AS m
WHERE m NOT IN (SELECT `+bannedMember+` FROM bans WHERE `+bannedMember+` IS NOT NULL) ON CONFLICT DO NOTHING`, members, at, byRedis)
		b.Queue(`
UPDATE bans SET player = p.player FROM profiles AS p
WHERE bans.player = bans.member AND bans.member = ban_member(p.player)`)
	})
}

// BannedMember is who may not play, as Redis knows the player.
type BannedMember struct{ Member, Player string } // the player may be a digest

// Members lists the bans that Redis can know.
// 1 round trip.
func (a Bans) Members(ctx context.Context) ([]BannedMember, error) {
	return collect(ctx, a.db, "list the bans", `SELECT `+bannedMember+`, player FROM bans WHERE `+bannedMember+` IS NOT NULL ORDER BY 1`, nil,
		func(rows pgx.Rows, b *BannedMember) error { return rows.Scan(&b.Member, &b.Player) })
}
