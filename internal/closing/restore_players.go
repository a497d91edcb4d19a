package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/refill"
)

func (r *restore) xp(ctx context.Context) error {
	oldest := r.oldest()
	rolledUp, err := xpTotals(ctx, r.Archive, r.Game.Modes, beginning, oldest.AddDays(-1))
	if err != nil {
		return err
	}
	days := map[game.Date]map[string]float64{}
	for d := oldest; r.Game.Closed(game.Day.Of(d), r.Now()); d = d.AddDays(1) {
		of, err := xpTotals(ctx, r.Archive, r.Game.Modes, d, d)
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
	return r.Store.Refill.RestoreXP(ctx, days, rolledUp)
}

func (r *restore) streaks(ctx context.Context) error {
	if r.Game.Streak.Off {
		return nil
	}
	last := r.Game.OpenDates(r.Now())[0].AddDays(-1) // days that are open count when they close
	return r.Archive.Results.PlayedDates(ctx, beginning, last, func(played []game.Played) error {
		r.report.Streaks += len(played)
		if r.options.DryRun {
			return nil
		}
		return r.Store.Refill.RestoreStreaks(ctx, played)
	})
}

func (r *restore) profiles(ctx context.Context) error {
	return r.Archive.Profiles.All(ctx, func(page []game.PlayerProfile) error {
		r.report.Profiles += len(page)
		if r.options.DryRun {
			return nil
		}
		return r.Store.Refill.RestoreProfiles(ctx, page)
	})
}

// bans has those who may not play refused again, erased or not.
func (r *restore) bans(ctx context.Context) error {
	banned, err := r.Archive.Bans.Members(ctx)
	if err != nil || r.options.DryRun {
		return err
	}
	digests := make([]string, len(banned))
	for i, ban := range banned {
		digests[i] = ban.Member
	}
	r.report.Bans = len(digests)
	return refill.NewBackflow(r.Store.Refill).RestoreBans(ctx, digests)
}
