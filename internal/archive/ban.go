package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/game"
)

// Bans are the players who may not play.
type Bans struct{ db *DB }

// Put bans a player. An existing ban stays as it is.
// 1 round trip.
func (a Bans) Put(ctx context.Context, player, reason string, act game.Act) error {
	return a.db.Together(ctx, "ban a player", func(b *pgx.Batch) {
		// A row that came from Redis alone has the digest in place of the player, and no
		// reason.
		b.Queue(`
INSERT INTO bans AS old (player, member, reason, banned_at, banned_by)
SELECT $1, ban_member($1), $2, $3, $4 WHERE NOT EXISTS (SELECT FROM bans WHERE player IN ($1, player_digest($1)))
ON CONFLICT (member) DO UPDATE SET player = excluded.player, reason = excluded.reason, banned_at = excluded.banned_at, banned_by = excluded.banned_by
WHERE old.player = old.member`, player, reason, act.At, act.Actor)
		AuditEntry{Act: act, Action: "ban", Player: player}.Queue(b)
	})
}

// Lift ends a player's ban.
// 1 round trip.
func (a Bans) Lift(ctx context.Context, player string, act game.Act) error {
	return a.db.Together(ctx, "lift a ban", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM bans WHERE player IN ($1, player_digest($1)) OR member = ban_member($1)`, player)
		AuditEntry{Act: act, Action: "unban", Player: player}.Queue(b)
	})
}

// Has reports whether a player is banned, erased or not.
// 1 round trip.
func (a Bans) Has(ctx context.Context, player string) (banned bool, err error) {
	err = a.db.Change(ctx, "look for a ban", `SELECT EXISTS (SELECT FROM bans WHERE player IN ($1, player_digest($1)) OR member = ban_member($1))`,
		[]any{player}, &banned)
	return banned, err
}

const banColumns = `SELECT player, reason, banned_at AS at, banned_by AS by FROM bans `

// Of reads a player's ban, erased or not; nil if the player is not banned.
// 1 round trip.
func (a Bans) Of(ctx context.Context, player string) (*game.Ban, error) {
	found, err := Collect(ctx, a.db, "read a ban", banColumns+`WHERE player IN ($1, player_digest($1)) ORDER BY banned_at LIMIT 1`,
		[]any{player}, pgx.RowToStructByName[game.Ban])
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Before lists the bans that come after a place, newest first.
// 1 round trip.
func (a Bans) Before(ctx context.Context, at time.Time, player string, limit int) ([]game.Ban, error) {
	return Collect(ctx, a.db, "list bans", banColumns+`
WHERE (banned_at, player) < ($1, $2)
ORDER BY banned_at DESC, player DESC LIMIT $3`, []any{at, player, limit}, pgx.RowToStructByName[game.Ban])
}

// Count counts the bans.
// 1 round trip.
func (a Bans) Count(ctx context.Context) (n int64, err error) {
	return n, a.db.Change(ctx, "count bans", `SELECT count(*) FROM bans`, nil, &n)
}

// bannedMember is the digest by which Redis knows the player of a row. It is null for players
// erased before the archive kept that digest.
const bannedMember = `coalesce(member, CASE WHEN player NOT LIKE 'erased:%' THEN ban_member(player) END)`

// byRedis is the banned_by of a ban that only Redis knew.
const byRedis = "redis"

// PutMembers keeps bans of which only Redis has something: the digest. Where a profile has a
// player of that digest, the ban names the player.
// 1 round trip.
func (a Bans) PutMembers(ctx context.Context, members []string, at time.Time) error {
	return a.db.Together(ctx, "keep bans", func(b *pgx.Batch) {
		b.Queue(`
INSERT INTO bans (player, member, reason, banned_at, banned_by)
SELECT m, m, '', $2, $3 FROM unnest($1::text[]) AS m
WHERE m NOT IN (SELECT `+bannedMember+` FROM bans WHERE `+bannedMember+` IS NOT NULL) ON CONFLICT DO NOTHING`, members, at, byRedis)
		b.Queue(`
UPDATE bans SET player = p.player FROM profiles AS p
WHERE bans.player = bans.member AND bans.member = ban_member(p.player)`)
	})
}

// BannedMember is a banned player, with the digest by which Redis knows the player.
type BannedMember struct{ Member, Player string } // the player may be a digest

// Members lists the bans whose digest in Redis is known.
// 1 round trip.
func (a Bans) Members(ctx context.Context) ([]BannedMember, error) {
	return Collect(ctx, a.db, "list the bans", `SELECT `+bannedMember+` AS member, player FROM bans WHERE `+bannedMember+` IS NOT NULL ORDER BY 1`,
		nil, pgx.RowToStructByName[BannedMember])
}
