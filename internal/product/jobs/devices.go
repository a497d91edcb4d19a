package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/app"
)

// claimsName is the actor in the audit for the job that looks after claims.
const claimsName = "claims"

// Claims makes the service that gives devices to players. The archive may be nil.
func Claims(a *app.App, kept *archive.Archive) *device.Claims {
	removals := Removals(a, kept)
	s := &device.Claims{Notices: a.Store().Notices, Repair: a.Store().Repair}
	if kept != nil {
		s.Past = removals.Archive.Past
		s.Keep = func(ctx context.Context, device, player string, claimed lifecycle.ClaimReport) error {
			claims := []game.Claim{claimed.Record(device, player)}
			if claimed.At.IsZero() {
				var err error
				claims, err = lifecycle.NewBackflow(a.Store().Restore).ClaimsOf(ctx, game.BanMember(device))
				if err != nil || len(claims) == 0 {
					return err
				}
			}
			if player != "" { // first: a device whose claim the archive knows has nothing there
				days := closing.Closing{Game: a.Game(), Store: a.Store(), Archive: kept, Now: a.Now}
				if err := days.GiveClaimed(ctx, device, player, claims[0]); err != nil {
					return err
				}
			}
			if err := kept.Claims.Put(ctx, claims); err != nil || player == "" {
				return err
			}
			return kept.Claims.Name(ctx, device, player)
		}
	}
	s.Give = func(ctx context.Context, device, player string) error {
		return lifecycle.Each(Features(a, kept, nil, nil), func(f lifecycle.Giver) error { return f.Give(ctx, device, player) })
	}
	s.Erase = func(ctx context.Context, device string) error {
		act := lifecycle.Act{ID: claimsName + " " + game.BanMember(device), Actor: claimsName, At: a.Now()}
		_, err := removals.Erase(ctx, device, act)
		return err
	}
	return s
}
