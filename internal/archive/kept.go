package archive

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Kept is the part of an archive that is a copy of what Redis knows of players
// and not of days: claims, memberships, bans, friends and duels under way. It
// notes how far each kind has been copied.
type Kept struct{ a *Archive }

// NewKept is that part of an Archive.
func NewKept(a *Archive) Kept { return Kept{a} }

// Refill is how far a kind has been brought from Redis.
type Refill struct {
	Kind   string
	Cursor string // where to go on; empty: at the beginning
	Done   bool
}

// Refills tells how far each kind is that has begun.
// 1 round trip.
func (k Kept) Refills(ctx context.Context) ([]Refill, error) {
	return collect(ctx, k.a, "read how far the archive is filled again", `SELECT kind, cursor, done_at IS NOT NULL FROM refills`, nil,
		func(rows pgx.Rows, r *Refill) error { return rows.Scan(&r.Kind, &r.Cursor, &r.Done) })
}

// PutRefill notes how far a kind is. One that is at the beginning begins now.
// 1 round trip.
func (k Kept) PutRefill(ctx context.Context, r Refill) error {
	return k.a.run(ctx, "note how far the archive is filled again", `
INSERT INTO refills AS old (kind, cursor, done_at) VALUES ($1, $2, CASE WHEN $3 THEN now() END)
ON CONFLICT (kind) DO UPDATE SET cursor = excluded.cursor, done_at = excluded.done_at,
    begun_at = CASE WHEN old.done_at IS NULL OR $3 THEN old.begun_at ELSE now() END`, r.Kind, r.Cursor, r.Done)
}

// Claim is a device that a player has claimed.
type Claim struct {
	Device, Player string // digests
	At             time.Time
	Days           map[string]string // mode:date to what became of it
}

// PutClaims keeps claims, each in place of what was kept of it. The first owner
// of a device stays.
// 1 round trip.
func (k Kept) PutClaims(ctx context.Context, claims []Claim) error {
	if len(claims) == 0 {
		return nil
	}
	return k.a.together(ctx, "keep claims", func(b *pgx.Batch) {
		for _, c := range claims {
			days := c.Days
			if days == nil {
				days = map[string]string{}
			}
			b.Queue(`
INSERT INTO claims AS old (device, player, claimed_at, days) VALUES ($1, $2, $3, $4)
ON CONFLICT (device) DO UPDATE SET days = excluded.days
WHERE old.player = excluded.player AND old.days <> excluded.days`, c.Device, c.Player, c.At, days)
		}
	})
}

const claimColumns = `SELECT device, player, claimed_at, days FROM claims `

func scanClaim(rows pgx.Rows, c *Claim) error {
	err := rows.Scan(&c.Device, &c.Player, &c.At, &c.Days)
	c.At = c.At.UTC()
	return err
}

// Claims reads every claim. The same holds for each as with Results.
// 1 round trip.
func (k Kept) Claims(ctx context.Context, each func([]Claim) error) error {
	return stream(ctx, k.a, "read all claims", claimColumns, nil, scanClaim, each)
}

// ClaimsOf lists what a player, known by the digest, has claimed, newest first.
// 1 round trip.
func (k Kept) ClaimsOf(ctx context.Context, player string) ([]Claim, error) {
	return collect(ctx, k.a, "read a player's claims", claimColumns+`WHERE player = $1 ORDER BY claimed_at DESC, device`, []any{player}, scanClaim)
}

// Membership is a player's of a group.
type Membership struct{ ID, Player, Group string } // the id is a digest

// PutMemberships keeps memberships as they were at a moment. One that has ended
// stays so, and those of players who have been erased since are left out.
// 1 round trip.
func (k Kept) PutMemberships(ctx context.Context, all []Membership, at time.Time) error {
	if len(all) == 0 {
		return nil
	}
	var ids, players, groups []string
	for _, m := range all {
		ids, players, groups = append(ids, m.ID), append(players, m.Player), append(groups, m.Group)
	}
	return k.a.run(ctx, "keep memberships", `
INSERT INTO memberships (membership, player, group_id)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS rows (membership, player, group_id)
WHERE NOT erased_since(player, $4) ON CONFLICT DO NOTHING`, ids, players, groups, at)
}

// endedDays is how long a membership that has ended is remembered: what is told
// of it may come late, by days.
const endedDays = 30

// EndMembership ends a membership, also one that is told of later.
// 1 round trip.
func (k Kept) EndMembership(ctx context.Context, m Membership, at time.Time) error {
	return k.a.together(ctx, "end a membership", func(b *pgx.Batch) {
		b.Queue(`
INSERT INTO memberships AS old (membership, player, group_id, ended_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (membership) DO UPDATE SET ended_at = coalesce(old.ended_at, excluded.ended_at)`, m.ID, m.Player, m.Group, at)
		b.Queue(`DELETE FROM memberships WHERE ended_at < $1`, at.AddDate(0, 0, -endedDays))
	})
}

// Memberships reads those that last. The same holds for each as with Results.
// 1 round trip.
func (k Kept) Memberships(ctx context.Context, each func([]Membership) error) error {
	return stream(ctx, k.a, "read all memberships", `SELECT membership, player, group_id FROM memberships WHERE ended_at IS NULL`, nil,
		func(rows pgx.Rows, m *Membership) error { return rows.Scan(&m.ID, &m.Player, &m.Group) }, each)
}

// bannedMember is what Redis knows the player of a row by; null where that was
// not kept when the player was erased.
const bannedMember = `coalesce(member, CASE WHEN player NOT LIKE 'erased:%' THEN ban_member(player) END)`

// byRedis is who has banned a player of whose ban Redis alone knew.
const byRedis = "redis"

// PutBans keeps bans that Redis knows, by its digests, of which nothing else is
// known. Where a profile tells whose digest it is, the ban names the player.
// 1 round trip.
func (k Kept) PutBans(ctx context.Context, members []string, at time.Time) error {
	return k.a.together(ctx, "keep bans", func(b *pgx.Batch) {
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

// BannedMembers lists the bans that Redis can know.
// 1 round trip.
func (k Kept) BannedMembers(ctx context.Context) ([]BannedMember, error) {
	return collect(ctx, k.a, "list the bans", `SELECT `+bannedMember+`, player FROM bans WHERE `+bannedMember+` IS NOT NULL ORDER BY 1`, nil,
		func(rows pgx.Rows, b *BannedMember) error { return rows.Scan(&b.Member, &b.Player) })
}
