package closing

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

func (r *restoring) xp(ctx context.Context) error {
	oldest := r.oldest()
	rolledUp, err := xpTotals(ctx, r.c.Archive, r.game.Modes, beginning, oldest.AddDays(-1))
	if err != nil {
		return err
	}
	days := map[game.Date]map[string]float64{}
	for d := oldest; r.closed(game.Day.Of(d)); d = d.AddDays(1) {
		of, err := xpTotals(ctx, r.c.Archive, r.game.Modes, d, d)
		if err != nil {
			return err
		}
		if len(of) > 0 {
			days[d] = of
		}
	}
	if r.options.DryRun {
		return nil
	}
	return r.c.Store.Restore.RestoreXP(ctx, days, rolledUp)
}

func (r *restoring) streaks(ctx context.Context) error {
	if r.game.Streak.Off {
		return nil
	}
	last := r.game.OpenDates(r.now())[0].AddDays(-1) // open days count when they close
	return r.c.Archive.Results.PlayedDates(ctx, beginning, last, func(played []game.Played) error {
		r.report.Streaks += len(played)
		if r.options.DryRun {
			return nil
		}
		return r.c.Store.Restore.RestoreStreaks(ctx, played)
	})
}

func (r *restoring) profiles(ctx context.Context) error {
	return r.c.Archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
		r.report.Profiles += len(page)
		if r.options.DryRun {
			return nil
		}
		return r.c.Store.Restore.RestoreProfiles(ctx, page)
	})
}

// bans restores the bans that the archive has, also those of erased players. It then
// removes those that left the archive meanwhile.
func (r *restoring) bans(ctx context.Context) error {
	digests, err := r.banned(ctx)
	if err != nil || r.options.DryRun {
		return err
	}
	r.report.Bans = len(digests)
	back := lifecycle.NewBackflow(r.c.Store.Restore)
	if err := back.RestoreBans(ctx, digests); err != nil {
		return err
	}
	still, err := r.banned(ctx)
	if err != nil {
		return err
	}
	return back.LiftBans(ctx, slices.DeleteFunc(digests, func(digest string) bool { return slices.Contains(still, digest) }))
}

// banned returns the digests of banned players.
func (r *restoring) banned(ctx context.Context) ([]string, error) {
	banned, err := r.c.Archive.Bans.Members(ctx)
	digests := make([]string, len(banned))
	for i, ban := range banned {
		digests[i] = ban.Member
	}
	return digests, err
}
