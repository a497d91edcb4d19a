// Package clerkstore keeps in Postgres which groups players belong to. It knows SQL, and nothing of
// Redis or HTTP.
package clerkstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Table has the groups that players belong to: a copy of what Redis has.
type Table struct{ db *archive.DB }

// In is the table of an archive.
func In(a *archive.Archive) Table { return Table{a.DB()} }

// Put keeps memberships as they were at a moment. A membership that has ended stays ended.
// Players who have been erased since that moment are left out.
// 1 round trip.
func (a Table) Put(ctx context.Context, all []game.Membership, at time.Time) error {
	if len(all) == 0 {
		return nil
	}
	var ids, players, groups []string
	for _, m := range all {
		ids, players, groups = append(ids, m.ID), append(players, m.Player), append(groups, m.Group)
	}
	return a.db.Run(ctx, "keep memberships", `
INSERT INTO memberships (membership, player, group_id)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS rows (membership, player, group_id)
WHERE NOT erased_since(player, $4) ON CONFLICT DO NOTHING`, ids, players, groups, at)
}

// endedDays is how many days a membership that has ended is remembered: news of it may come
// days late.
const endedDays = 30

// End ends a membership, also one that Put is given only later.
// 1 round trip.
func (a Table) End(ctx context.Context, m game.Membership, at time.Time) error {
	return a.db.Together(ctx, "end a membership", func(b *pgx.Batch) {
		b.Queue(`
INSERT INTO memberships AS old (membership, player, group_id, ended_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (membership) DO UPDATE SET ended_at = coalesce(old.ended_at, excluded.ended_at)`, m.ID, m.Player, m.Group, at)
		b.Queue(`DELETE FROM memberships WHERE ended_at < $1`, at.AddDate(0, 0, -endedDays))
	})
}

// All reads the memberships that have not ended. It calls each as [archive.Results.OfDay] does.
// 1 round trip.
func (a Table) All(ctx context.Context, each func([]game.Membership) error) error {
	return archive.Stream(ctx, a.db, "read all memberships", `SELECT membership AS id, player, group_id AS "group" FROM memberships WHERE ended_at IS NULL`,
		nil, pgx.RowToStructByName[game.Membership], each)
}

// Tables are the tables of memberships.
func Tables() archive.Tables {
	return archive.Tables{
		Name:  "memberships",
		Keeps: archive.Keeping(`EXISTS (SELECT FROM memberships WHERE player = $1)`),
		Erase: archive.Erasing(`DELETE FROM memberships WHERE player = $1`),
	}
}
