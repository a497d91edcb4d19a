package reconcile

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/game"
)

// profiles are names, pictures and countries of players. Redis counts.
func (s *Sides) profiles() kind {
	read := func(ctx context.Context, cursor string) ([]game.PlayerProfile, string, error) {
		return s.Redis.Profiles(ctx, cursor, pageSize)
	}
	return kind{
		name: "profiles",
		late: true,
		page: func(ctx context.Context, cursor string) (string, int, error) {
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			return next, len(page), s.Archive.Profiles.Put(ctx, page)
		},
		compare: func(ctx context.Context, redis, postgres entries) error {
			if err := all(ctx, read, func(p game.PlayerProfile) { redis[p.Player] = p.Player }); err != nil {
				return err
			}
			return s.Archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
				for _, p := range page {
					if p.Profile != (game.Profile{}) {
						postgres[p.Player] = p.Player
					}
				}
				return nil
			})
		},
	}
}

// bans are the players who may not play. Redis has digests, the archive also reasons.
func (s *Sides) bans() kind {
	return kind{
		name: "bans",
		page: func(ctx context.Context, _ string) (string, int, error) {
			at := s.Now()
			digests, err := s.Redis.Bans(ctx)
			if err != nil {
				return "", 0, err
			}
			return "", len(digests), s.Archive.Bans.PutMembers(ctx, digests, at)
		},
		compare: func(ctx context.Context, redis, postgres entries) error {
			digests, err := s.Redis.Bans(ctx)
			if err != nil {
				return err
			}
			for _, digest := range digests {
				redis[digest] = digest
			}
			banned, err := s.Archive.Bans.Members(ctx)
			for _, b := range banned {
				postgres[b.Member] = b.Player
			}
			return err
		},
	}
}

// memberships are the groups that players belong to.
func (s *Sides) memberships() kind {
	read := func(ctx context.Context, cursor string) ([]clerk.Membership, string, error) {
		return s.Groups.Page(ctx, cursor, pageSize)
	}
	return kind{
		name: "memberships",
		page: func(ctx context.Context, cursor string) (string, int, error) {
			at := s.Now()
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			return next, len(page), s.Archive.Memberships.Put(ctx, page, at)
		},
		compare: func(ctx context.Context, redis, postgres entries) error {
			if err := all(ctx, read, func(m clerk.Membership) { redis[m.ID] = m.Player + " in " + m.Group }); err != nil {
				return err
			}
			return s.Archive.Memberships.All(ctx, func(page []game.Membership) error {
				for _, m := range page {
					postgres[m.ID] = m.Player + " in " + m.Group
				}
				return nil
			})
		},
	}
}

// duels are the duels that are over, and those under way. Ratings, the XP of duels and the
// number of duels begun follow from them; package duel compares those.
func (s *Sides) duels() kind {
	return kind{
		name: "duels",
		page: func(ctx context.Context, cursor string) (string, int, error) {
			past, next, err := s.Duels.Past(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			for some := range slices.Chunk(past, archive.MostRows) {
				if err := s.Archive.Duels.Put(ctx, some); err != nil {
					return "", 0, err
				}
			}
			return next, len(past), nil
		},
		finish: func(ctx context.Context, first bool) (bool, error) {
			if !first { // the archive has more old duels than Redis
				return true, nil
			}
			_, left, err := s.Duels.Carry(ctx)
			return left == 0, err
		},
		compare: s.compareDuels,
	}
}

// compareDuels ignores duels that Redis has dropped by age: they are in Postgres only.
func (s *Sides) compareDuels(ctx context.Context, redis, postgres entries) error {
	known := func(ctx context.Context, cursor string) ([]game.Duel, string, error) {
		past, next, err := s.Duels.Past(ctx, cursor)
		if err != nil {
			return nil, "", err
		}
		ids := make([]string, len(past))
		for i, one := range past {
			ids[i] = one.ID
		}
		known, err := s.Archive.Duels.Known(ctx, ids)
		for _, id := range known {
			postgres[id] = id
		}
		return past, next, err
	}
	if err := all(ctx, known, func(one game.Duel) { redis[one.ID] = one.ID }); err != nil {
		return err
	}
	underWay, err := s.Duels.Listed(ctx)
	if err != nil {
		return err
	}
	return s.Archive.Duels.Open(ctx, func(page []game.Duel) error {
		for _, one := range page {
			if postgres[one.ID] = one.ID; slices.Contains(underWay, one.ID) {
				redis[one.ID] = one.ID
			}
		}
		return nil
	})
}
