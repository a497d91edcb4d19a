package jobs

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Removals makes the service that removes players and scores. The archive may be nil.
func Removals(a *app.App, history *archive.Archive) *lifecycle.Removals {
	s := &lifecycle.Removals{
		Notices: a.Store().Notices, Repair: a.Store().Repair, Log: a.Log(), Also: erase(erasers(a, history)),
		Claimed: claimedBy(history),
		Later:   a.Activity().Knows,
	}
	// A player joins a cohort in the archive first, and then in Redis: that may be after Redis
	// was erased, so Late erases it again. A player who has started over joins again.
	s.Late = league.Records{DB: a.Store().DB}.Erase
	s.Forfeit = forfeitDuels(a, history)
	if history != nil {
		s.Archive = removalArchive{history, a.Now}
	}
	if history != nil || game.HoldsPlays(a.Game()) {
		s.Copied = copied(a, history)
	}
	return s
}

// removalArchive is the archive as removals use it.
type removalArchive struct {
	archive *archive.Archive
	now     func() time.Time
}

func (p removalArchive) Past(ctx context.Context, player string) (*lifecycle.ArchivedPlayer, error) {
	rows, err := p.archive.Results.Of(ctx, player, game.NewDate(1, 1, 1), game.NewDate(9999, 12, 31))
	if err != nil {
		return nil, err
	}
	return &lifecycle.ArchivedPlayer{Results: rows}, nil
}

func (p removalArchive) DeleteResult(ctx context.Context, mode string, d game.Date, player string, act lifecycle.Act) (bool, error) {
	return p.archive.Results.Delete(ctx, mode, d, player, act)
}

// Erase gives the erasure the time at which Redis has nothing of the player any more, however
// long ago it was asked for: so nothing that a job has read in Redis before that time comes
// back.
func (p removalArchive) Erase(ctx context.Context, player string, act lifecycle.Act) (int64, error) {
	if now := p.now(); now.After(act.At) {
		act.At = now
	}
	// Some of it, such as invites, is in no copy in Redis.
	if err := friendstore.In(p.archive).EraseFriends(ctx, player); err != nil {
		return 0, err
	}
	erased, err := p.archive.ErasePlayer(ctx, player, act)
	return erased.Results, err
}

func (p removalArchive) Ban(ctx context.Context, player, reason string, act lifecycle.Act) error {
	return p.archive.Bans.Put(ctx, player, reason, act)
}

func (p removalArchive) Unban(ctx context.Context, player string, act lifecycle.Act) error {
	return p.archive.Bans.Lift(ctx, player, act)
}

func (p removalArchive) Ping(ctx context.Context) error { return p.archive.Ready(ctx) }

// claimedBy returns what the archive knows of the devices that a player has claimed; nil without
// one.
func claimedBy(kept *archive.Archive) func(context.Context, string) ([]string, error) {
	if kept == nil {
		return nil
	}
	return func(ctx context.Context, player string) (devices []string, err error) {
		claims, err := kept.Claims.Of(ctx, game.BanMember(player))
		for _, c := range claims {
			if c.DeviceID != "" {
				devices = append(devices, c.DeviceID)
			}
		}
		return devices, err
	}
}

// copied reports whether plays of a player are held, or the archive has something of the player
// besides results. history may be nil.
func copied(a *app.App, history *archive.Archive) func(ctx context.Context, player string) (bool, error) {
	return func(ctx context.Context, player string) (bool, error) {
		if waiting, err := a.HeldPlays().Of(ctx, player); err != nil || len(waiting) > 0 {
			return len(waiting) > 0, err
		}
		if history == nil {
			return false, nil
		}
		return history.Keeps(ctx, player)
	}
}
