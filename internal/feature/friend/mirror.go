package friend

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/lifecycle"
)

// ListTable is the graph of Postgres as a whole.
type ListTable interface {
	PutLists(ctx context.Context, lists []Lists, at time.Time) (pairs int, err error)
	RenewLists(ctx context.Context, kind string) error
	AllLists(ctx context.Context, each func([]Lists) error) error
}

// mirrorPage is the number of players in a page: each costs a command.
const mirrorPage = 50

// Mirror is the mirror of friends and blocks. Postgres counts, and Redis has a copy of each
// player's lists. Requests and invites are in Postgres only.
//
// Cost: of its pages 1 billed command for each player with friends.
func (s *Service) Mirror(lists *Cache, table ListTable) lifecycle.Mirror {
	const name = "friends"
	read := func(ctx context.Context, cursor string) ([]Lists, string, error) {
		return lists.Page(ctx, cursor, mirrorPage)
	}
	return lifecycle.Mirror{
		Name: name,
		Page: func(ctx context.Context, cursor string) (string, int, error) {
			if cursor == "" { // copy changes to Redis before reading it
				if err := s.Settle(ctx); err != nil {
					return "", 0, err
				}
			}
			at := s.Now()
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			_, err = table.PutLists(ctx, page, at)
			return next, len(page), err
		},
		Finish: func(ctx context.Context, first bool) (bool, error) {
			if first {
				if err := table.RenewLists(ctx, name); err != nil {
					return false, err
				}
			}
			return true, s.Settle(ctx)
		},
		Compare: func(ctx context.Context, redis, postgres lifecycle.Entries) error {
			if err := lifecycle.EachPage(ctx, read, func(l Lists) { l.entries(redis) }); err != nil {
				return err
			}
			return table.AllLists(ctx, func(page []Lists) error {
				for _, l := range page {
					l.entries(postgres)
				}
				return nil
			})
		},
		Restore: func(ctx context.Context, dryRun bool) (any, error) {
			if dryRun {
				return 0, nil
			}
			return s.Restore(ctx)
		},
	}
}

// entries adds a player's lists. Each friend is on the lists of both players.
func (l Lists) entries(to lifecycle.Entries) {
	for _, other := range l.Friends {
		name := l.Player + " has " + other
		to[name] = name
	}
	for _, other := range l.Blocked {
		name := l.Player + " blocks " + other
		to[name] = name
	}
}
