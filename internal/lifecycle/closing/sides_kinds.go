package closing

import (
	"context"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/redis"
)

// pageSize is the number of players in a page: an answer of some 200 KB.
const pageSize = 1000

// KernelMirrors are the mirrors of what is no feature's. Profiles come before bans, since they show which
// player a ban's digest is of, and claims after the index by which they are found.
func KernelMirrors(back lifecycle.Backflow, kept *archive.Archive, now func() time.Time) []lifecycle.Mirror {
	o := kernelMirrors{back, kept, now}
	return []lifecycle.Mirror{o.claimIndex(), o.profiles(), o.bans(), o.claims()}
}

type kernelMirrors struct {
	redis   lifecycle.Backflow
	archive *archive.Archive
	now     func() time.Time
}

// profiles are names, pictures and countries of players. Redis counts.
func (o kernelMirrors) profiles() lifecycle.Mirror {
	read := func(ctx context.Context, cursor string) ([]game.PlayerProfile, string, error) {
		return o.redis.Profiles(ctx, cursor, pageSize)
	}
	return lifecycle.Mirror{
		Name: "profiles",
		Late: true,
		Page: func(ctx context.Context, cursor string) (string, int, error) {
			page, next, err := read(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			return next, len(page), o.archive.Profiles.Put(ctx, page)
		},
		Compare: func(ctx context.Context, redis, postgres lifecycle.Entries) error {
			if err := lifecycle.EachPage(ctx, read, func(p game.PlayerProfile) { redis[p.Player] = p.Player }); err != nil {
				return err
			}
			return o.archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
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
func (o kernelMirrors) bans() lifecycle.Mirror {
	return lifecycle.Mirror{
		Name: "bans",
		Page: func(ctx context.Context, _ string) (string, int, error) {
			at := o.now()
			digests, err := o.redis.Bans(ctx)
			if err != nil {
				return "", 0, err
			}
			return "", len(digests), o.archive.Bans.PutMembers(ctx, digests, at)
		},
		Compare: func(ctx context.Context, redis, postgres lifecycle.Entries) error {
			digests, err := o.redis.Bans(ctx)
			if err != nil {
				return err
			}
			for _, digest := range digests {
				redis[digest] = digest
			}
			banned, err := o.archive.Bans.Members(ctx)
			for _, b := range banned {
				postgres[b.Member] = b.Player
			}
			return err
		},
	}
}

// inIndex begins the cursors of a refill that reads the index of claims. A cursor without it
// is from an earlier version, which read something else: the refill starts from scratch.
const inIndex = "index "

// claims are the devices that players have claimed, by digest.
func (o kernelMirrors) claims() lifecycle.Mirror {
	return lifecycle.Mirror{
		Name: "claims",
		Page: func(ctx context.Context, cursor string) (string, int, error) {
			cursor, ours := strings.CutPrefix(cursor, inIndex)
			if !ours {
				cursor = ""
			}
			page, next, err := o.redis.Claims(ctx, cursor)
			if err != nil {
				return "", 0, err
			}
			if next != "" {
				next = inIndex + next
			}
			return next, len(page), o.archive.Claims.Put(ctx, page)
		},
		// The index may lack claims of an earlier version: so ask Redis for those claims that
		// the archive has and the index lacks.
		Compare: func(ctx context.Context, redis, postgres lifecycle.Entries) error {
			if err := lifecycle.EachPage(ctx, o.redis.Claims, func(c game.Claim) { redis[c.Device] = c.Device }); err != nil {
				return err
			}
			var unlisted []string
			err := o.archive.Claims.All(ctx, func(page []game.Claim) error {
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
			claimed, err := o.redis.ClaimsOf(ctx, unlisted...)
			for _, c := range claimed {
				redis[c.Device] = c.Device
			}
			return err
		},
		// 3 billed commands for each claim.
		Restore: func(ctx context.Context, dryRun bool) (any, error) {
			n := 0
			err := o.archive.Claims.All(ctx, func(page []game.Claim) error {
				n += len(page)
				if dryRun {
					return nil
				}
				_, err := o.redis.RestoreClaims(ctx, page)
				return err
			})
			return n, err
		},
	}
}

// claimIndex brings to the index of claims the devices that the archive has from versions
// without an index. It compares nothing: an entry of the index without a claim means nothing.
func (o kernelMirrors) claimIndex() lifecycle.Mirror {
	return lifecycle.Mirror{
		Name: "claim index",
		Page: func(ctx context.Context, cursor string) (string, int, error) {
			devices, err := o.archive.Claims.Devices(ctx, cursor, redis.WritePage)
			if err != nil || len(devices) == 0 {
				return "", 0, err
			}
			next := ""
			if len(devices) == redis.WritePage {
				next = devices[len(devices)-1]
			}
			return next, len(devices), o.redis.IndexClaims(ctx, devices)
		},
	}
}
