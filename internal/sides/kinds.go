package sides

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/roster"
)

// profiles are how players are shown. Redis is what counts.
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
		compare: func(ctx context.Context, d *Difference) error {
			redis, postgres := entries{}, entries{}
			if err := all(ctx, read, func(p game.PlayerProfile) { redis[p.Player] = p.Player }); err != nil {
				return err
			}
			err := s.Archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
				for _, p := range page {
					if p.Profile != (game.Profile{}) {
						postgres[p.Player] = p.Player
					}
				}
				return nil
			})
			d.settle(redis, postgres)
			return err
		},
	}
}

// bans are who may not play. Redis knows digests, the archive reasons too.
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
		compare: func(ctx context.Context, d *Difference) error {
			redis, postgres := entries{}, entries{}
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
			d.settle(redis, postgres)
			return err
		},
	}
}

// claims are devices that players have claimed, by digests.
func (s *Sides) claims() kind {
	read := func(ctx context.Context, cursor string) ([]game.Claim, string, error) {
		if !s.Game.Anonymous { // then nobody can have claimed one
			return nil, "", nil
		}
		return s.Redis.Claims(ctx, cursor)
	}
	return kind{
		name: "claims",
		page: func(ctx context.Context, cursor string) (string, int, error) {
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			return next, len(page), s.Archive.Claims.Put(ctx, page)
		},
		compare: func(ctx context.Context, d *Difference) error {
			redis, postgres := entries{}, entries{}
			if err := all(ctx, read, func(c game.Claim) { redis[c.Device] = c.Device }); err != nil {
				return err
			}
			err := s.Archive.Claims.All(ctx, func(page []game.Claim) error {
				for _, c := range page {
					postgres[c.Device] = c.Device
				}
				return nil
			})
			d.settle(redis, postgres)
			return err
		},
	}
}

// memberships are which groups players belong to.
func (s *Sides) memberships() kind {
	read := func(ctx context.Context, cursor string) ([]roster.Membership, string, error) {
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
		compare: func(ctx context.Context, d *Difference) error {
			redis, postgres := entries{}, entries{}
			if err := all(ctx, read, func(m roster.Membership) { redis[m.ID] = m.Player + " in " + m.Group }); err != nil {
				return err
			}
			err := s.Archive.Memberships.All(ctx, func(page []game.Membership) error {
				for _, m := range page {
					postgres[m.ID] = m.Player + " in " + m.Group
				}
				return nil
			})
			d.settle(redis, postgres)
			return err
		},
	}
}

// duels are those that are over, and those under way. Ratings, the XP of duels and
// how many were begun are made of them, and compared by package duel.
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
			if !first { // the archive knows more of old duels than Redis does
				return true, nil
			}
			_, left, err := s.Duels.Carry(ctx)
			return left == 0, err
		},
		// What has left Redis with time is in Postgres alone, and no difference.
		compare: func(ctx context.Context, d *Difference) error {
			redis, postgres := entries{}, entries{}
			read := func(ctx context.Context, cursor string) ([]game.Duel, string, error) {
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
			if err := all(ctx, read, func(one game.Duel) { redis[one.ID] = one.ID }); err != nil {
				return err
			}
			listed, err := s.Duels.Listed(ctx)
			if err != nil {
				return err
			}
			under := entries{}
			for _, id := range listed {
				under[id] = id
			}
			err = s.Archive.Duels.Open(ctx, func(page []game.Duel) error {
				for _, one := range page {
					if postgres[one.ID] = one.ID; under[one.ID] != "" {
						redis[one.ID] = one.ID
					}
				}
				return nil
			})
			d.settle(redis, postgres)
			return err
		},
	}
}
