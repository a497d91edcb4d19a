package clerk

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// MembershipTable keeps memberships in Postgres.
type MembershipTable interface {
	Put(ctx context.Context, all []Membership, at time.Time) error
	All(ctx context.Context, each func([]game.Membership) error) error
}

// mirrorPage is the number of players in a page of their groups.
const mirrorPage = 1000

// Mirror is the mirror of the groups that players belong to.
//
// Cost: of its pages 1 billed command for every 1,000 players in groups; of a restore up to 4
// for every 500 memberships.
func (g *Groups) Mirror(table MembershipTable, now func() time.Time) lifecycle.Mirror {
	read := func(ctx context.Context, cursor string) ([]Membership, string, error) {
		return g.Page(ctx, cursor, mirrorPage)
	}
	return lifecycle.Mirror{
		Name: "memberships",
		Page: func(ctx context.Context, cursor string) (string, int, error) {
			at := now()
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			return next, len(page), table.Put(ctx, page, at)
		},
		Compare: func(ctx context.Context, redis, postgres lifecycle.Entries) error {
			if err := lifecycle.EachPage(ctx, read, func(m Membership) { redis[m.ID] = m.Player + " in " + m.Group }); err != nil {
				return err
			}
			return table.All(ctx, func(page []game.Membership) error {
				for _, m := range page {
					postgres[m.ID] = m.Player + " in " + m.Group
				}
				return nil
			})
		},
		Restore: func(ctx context.Context, dryRun bool) (any, error) {
			n := 0
			err := table.All(ctx, func(page []game.Membership) error {
				n += len(page)
				if dryRun {
					return nil
				}
				return g.Restore(ctx, page)
			})
			return n, err
		},
	}
}
