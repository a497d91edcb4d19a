package control

import (
	"context"

	"github.com/framedle/leaderboards/internal/fault"

	"github.com/framedle/leaderboards/internal/redis"
)

// ErrBanned is returned for a submission of a player who may not play.
var ErrBanned = fault.Of("the player is banned", fault.Fault{Code: "banned", Detail: "this player may not play"})

// IsBanned reports whether a player is banned, as far as this process knows.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (ns *Notices) IsBanned(ctx context.Context, player string) (bool, error) {
	if err := ns.MayWrite(ctx); err != nil {
		return false, err
	}
	return ns.remembered.has(player), nil
}

// MayPlay returns ErrBanned for players who are banned. Besides scores, a ban refuses duels,
// requests to other players, and changes of how the player is shown. A banned player may still
// read, leave, decline, block, and erase themselves.
//
// Cost: that of IsBanned.
func (ns *Notices) MayPlay(ctx context.Context, players ...string) error {
	for _, player := range players {
		if banned, err := ns.IsBanned(ctx, player); err != nil {
			return err
		} else if banned {
			return ErrBanned
		}
	}
	return nil
}

// Has reports whether a player is banned, as far as this process knows. The caller has called
// [Notices.MayWrite] before.
func (ns *Notices) Has(player string) bool { return ns.remembered.has(player) }

// Ban keeps a player from submitting: in this process at once, in others after 15 minutes at
// the latest. It removes no scores; lifecycle.Repair does.
//
// Cost: 1 billed command.
func (ns *Notices) Ban(ctx context.Context, player string) error {
	return redis.Wrap("ban "+player, ns.remembered.change(ctx, ns.db.Redis, "SADD", player))
}

// Unban lets a player submit again; processes notice it as soon as a ban. It restores nothing.
//
// Cost: 1 billed command.
func (ns *Notices) Unban(ctx context.Context, player string) error {
	return redis.Wrap("lift the ban of "+player, ns.remembered.change(ctx, ns.db.Redis, "SREM", player))
}

// CountBans counts the banned players. Redis has only their digests.
//
// Cost: 1 billed command.
func (ns *Notices) CountBans(ctx context.Context) (int, error) {
	n, err := readNotices(ctx, ns.db.Redis)
	return len(n.Banned), redis.Wrap("count bans", err)
}
