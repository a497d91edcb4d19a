package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// erasureAge is how long the groups of an erased player stay known. The player may play on: by
// then, every process that relies on having written such a group has written it again.
const erasureAge = derive.GroupsFresh + time.Hour

// lookAfterGroups removes an erased player from the boards of groups that have become known
// since, and forgets the groups that the player is no longer in. It reports whether that was
// all.
//
// Cost: 1 billed command, and for an erasure of a player with groups 3 and 1 for
// each group.
func (rp *Repair) lookAfterGroups(ctx context.Context, n removalNote) (over bool, err error) {
	r := rp.newErasure(n.Player, Erasure{})
	var p redis.Pipeline
	rp.Played.Ask(&p, n.Player, &r.groups)
	if _, err := p.Run(ctx, rp.DB.Redis); err != nil || len(r.groups) == 0 {
		return true, err
	}
	p = redis.Pipeline{}
	p.Add(upstash.Cmd("ZADD", r.lens, "NX", "0", n.Player).Idempotent(), nil)
	p.Add(upstash.Cmd("EXPIRE", r.lens, redis.Itoa(int64(lensLife/time.Second))).Idempotent(), nil)
	if _, err := p.Run(ctx, rp.DB.Redis); err != nil {
		return false, err
	}
	over = rp.DB.Now().Sub(n.At) >= erasureAge
	for _, group := range r.groups {
		switch known := slices.Contains(n.Groups, group.String()); {
		case !known:
			err = r.takeOffOlder(ctx, group, game.DateOf(n.At))
		case over:
			err = r.leave(ctx, group)
		}
		if err != nil {
			return false, err
		}
	}
	return over, nil
}

// takeOffOlder removes the player from a group's boards, except those of days that the player
// may have played since a date. If a board follows only from these days, the next refresh
// brings the player back. None of these days can have been rolled up: otherwise it does
// nothing.
func (r *erasure) takeOffOlder(ctx context.Context, group game.Scope, since game.Date) error {
	if !r.rp.Rollup.Calendar.Writable(since) {
		return nil
	}
	keys := r.everywhere(group)
	for _, d := range r.days() {
		if d.Before(since) {
			continue
		}
		for _, m := range r.rp.DB.Game.Modes {
			if at := slices.Index(keys, game.BoardKey(m.Name, game.Day.Of(d), group)); at >= 0 {
				keys = slices.Delete(keys, at, at+1)
			}
		}
	}
	for some := range slices.Chunk(keys, lensKeys) {
		if err := r.takeOffAny(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// leave forgets a group if the player is on none of its boards.
func (r *erasure) leave(ctx context.Context, group game.Scope) error {
	on := false
	var p redis.Pipeline
	for some := range slices.Chunk(r.everywhere(group), lensKeys) {
		p.Add(r.through(some), func(reply upstash.Reply) error {
			missing, err := reply.Strings()
			on = on || !slices.Contains(missing, r.player)
			return err
		})
	}
	if _, err := p.Run(ctx, r.rp.DB.Redis); err != nil || on {
		return err
	}
	r.rp.Played.Forget(derive.Group{Player: r.player, Group: group})
	_, err := r.rp.DB.Redis.Do(ctx, upstash.Cmd("ZREM", game.GroupsPlayedKey, game.GroupPlayed(r.player, group)).Idempotent())
	return err
}
