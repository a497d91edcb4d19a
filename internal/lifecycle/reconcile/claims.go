package reconcile

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// inIndex begins the cursors of a refill that reads the index of claims. A cursor without it
// is from an earlier version, which read something else: the refill begins anew.
const inIndex = "index "

// claims are the devices that players have claimed, by digest.
func (s *Sides) claims() kind {
	return kind{
		name: "claims",
		page: func(ctx context.Context, cursor string) (string, int, error) {
			cursor, ours := strings.CutPrefix(cursor, inIndex)
			if !ours {
				cursor = ""
			}
			page, next, err := s.Redis.Claims(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			if next != "" {
				next = inIndex + next
			}
			return next, len(page), s.Archive.Claims.Put(ctx, page)
		},
		// The index may lack claims of an earlier version: so ask Redis for those claims that
		// the archive has and the index lacks.
		compare: func(ctx context.Context, redis, postgres entries) error {
			if err := all(ctx, s.Redis.Claims, func(c game.Claim) { redis[c.Device] = c.Device }); err != nil {
				return err
			}
			var unlisted []string
			err := s.Archive.Claims.All(ctx, func(page []game.Claim) error {
				for _, c := range page {
					if postgres[c.Device] = c.Device; redis[c.Device] == "" {
						unlisted = append(unlisted, c.Device)
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			claimed, err := s.Redis.ClaimsOf(ctx, unlisted...)
			for _, c := range claimed {
				redis[c.Device] = c.Device
			}
			return err
		},
	}
}

// claimIndex brings to the index of claims the devices that the archive has from versions
// without an index. It compares nothing: an entry of the index without a claim means nothing.
func (s *Sides) claimIndex() kind {
	return kind{
		name: "claim index",
		page: func(ctx context.Context, cursor string) (string, int, error) {
			devices, err := s.Archive.Claims.Devices(ctx, cursor, redis.WritePage)
			if err != nil || len(devices) == 0 {
				return "", 0, err
			}
			next := ""
			if len(devices) == redis.WritePage {
				next = devices[len(devices)-1]
			}
			return next, len(devices), s.Redis.IndexClaims(ctx, devices)
		},
	}
}

// refilled are the kinds that a refill brings, in order: claims come after the index that they
// are found by.
func (s *Sides) refilled() []kind { return slices.Insert(s.kinds(), 0, s.claimIndex()) }
