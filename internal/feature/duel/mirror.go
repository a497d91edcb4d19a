package duel

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Table keeps duels in Postgres.
type Table interface {
	Put(ctx context.Context, duels []Duel) error
	FindKnown(ctx context.Context, ids []string) ([]string, error)
	EachOpen(ctx context.Context, each func([]Duel) error) error
}

// mostPut is the number of duels in one statement: the table takes up to 10,000.
const mostPut = 1000

// Mirror is the mirror of the duels that are over, and of those under way. Ratings, the XP of
// duels and the number of duels begun follow from them; Verify compares those.
//
// Cost: that of Past, and once of Carry; of a restore that of Restore.
func (k *Keeper) Mirror(table Table) lifecycle.Mirror {
	return lifecycle.Mirror{
		Name: "duels",
		Page: func(ctx context.Context, cursor string) (string, int, error) {
			past, next, err := k.ListPast(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			for some := range slices.Chunk(past, mostPut) {
				if err := table.Put(ctx, some); err != nil {
					return "", 0, err
				}
			}
			return next, len(past), nil
		},
		Finish: func(ctx context.Context, first bool) (bool, error) {
			if !first { // the archive has more old duels than Redis
				return true, nil
			}
			_, left, err := k.Carry(ctx)
			return left == 0, err
		},
		Compare: func(ctx context.Context, redis, postgres lifecycle.Entries) error {
			return k.compare(ctx, table, redis, postgres)
		},
		Verify: func(ctx context.Context, c *lifecycle.Comparison) error {
			verified, err := k.Verify(ctx, func(key, player, redis, history string) {
				c.Differ(lifecycle.Difference{Key: key, Player: player, Redis: redis, Postgres: history})
			})
			c.Boards += 2 // of ratings and of XP
			c.Entries += verified.Entries
			c.Differences += verified.Differences
			return err
		},
		Lacks:   k.Lacks,
		Restore: func(ctx context.Context, dryRun bool) (any, error) { return k.Restore(ctx, dryRun) },
	}
}

// compare ignores duels that Redis has dropped by age: they are in Postgres only.
func (k *Keeper) compare(ctx context.Context, table Table, redis, postgres lifecycle.Entries) error {
	known := func(ctx context.Context, cursor string) ([]Duel, string, error) {
		past, next, err := k.ListPast(ctx, cursor)
		if err != nil {
			return nil, "", err
		}
		ids := make([]string, len(past))
		for i, one := range past {
			ids[i] = one.ID
		}
		known, err := table.FindKnown(ctx, ids)
		for _, id := range known {
			postgres[id] = id
		}
		return past, next, err
	}
	if err := lifecycle.EachPage(ctx, known, func(one Duel) { redis[one.ID] = one.ID }); err != nil {
		return err
	}
	underWay, err := k.Listed(ctx)
	if err != nil {
		return err
	}
	return table.EachOpen(ctx, func(page []Duel) error {
		for _, one := range page {
			if postgres[one.ID] = one.ID; slices.Contains(underWay, one.ID) {
				redis[one.ID] = one.ID
			}
		}
		return nil
	})
}
