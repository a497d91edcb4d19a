package reconcile

import (
	"context"

	"github.com/framedle/leaderboards/internal/feature/friend"
)

// friendships are friends and blocks. Postgres counts, and Redis has a copy of each player's
// lists. Requests and invites are in Postgres only.
func (s *Sides) friendships() kind {
	const name = "friends"
	read := func(ctx context.Context, cursor string) ([]friend.Lists, string, error) {
		return s.Lists.Page(ctx, cursor, friendsPage)
	}
	return kind{
		name: name,
		page: func(ctx context.Context, cursor string) (string, int, error) {
			if cursor == "" { // copy changes to Redis before reading it
				if err := s.Friends.Settle(ctx); err != nil {
					return "", 0, err
				}
			}
			at := s.Now()
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			_, err = s.Archive.Friends.PutLists(ctx, page, at)
			return next, len(page), err
		},
		finish: func(ctx context.Context, first bool) (bool, error) {
			if first {
				if err := s.Archive.Friends.RenewLists(ctx, name); err != nil {
					return false, err
				}
			}
			return true, s.Friends.Settle(ctx)
		},
		compare: func(ctx context.Context, redis, postgres entries) error {
			if err := all(ctx, read, redis.add); err != nil {
				return err
			}
			return s.Archive.Friends.AllLists(ctx, func(page []friend.Lists) error {
				for _, l := range page {
					postgres.add(l)
				}
				return nil
			})
		},
	}
}

// add adds a player's lists. Each friend is on the lists of both players.
func (e entries) add(l friend.Lists) {
	for _, other := range l.Friends {
		name := l.Player + " has " + other
		e[name] = name
	}
	for _, other := range l.Blocked {
		name := l.Player + " blocks " + other
		e[name] = name
	}
}
