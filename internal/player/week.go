package player

import (
	"context"
	"maps"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// DeriveWeek makes a sorted set of the XP that the days of a week have given so far, as their
// boards are now, and returns how many players are in it. XP of duels belongs to no day, and is
// not in it. The set expires at expires. The boards of the week's days must not have expired.
//
// Cost: 3 billed commands; up to 2 if the process does not know how large the days are; if days
// that have begun are not closed 3, and 1 for each of them and mode that gives XP, and for each
// 20,000 players. If the days have more than 100,000 entries together, 1 for every 20,000 of
// each, 1 for every 10,000 players of the week, and 5.
func (xp *XP) DeriveWeek(ctx context.Context, week game.Period, key string, expires time.Time) (players int64, err error) {
	var through game.Date
	var first redis.Pipeline
	first.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), ThroughInto(&through))
	if _, err := first.Run(ctx, xp.db.Redis); err != nil {
		return 0, err
	}
	scratch := xp.db.Scratch(key)
	sources := []string{scratch} // Redis refuses a union of nothing, so this key is always one of the sources
	var open []game.Date
	for _, d := range week.Days() {
		switch {
		case !through.IsZero() && !d.After(through):
			sources = append(sources, game.XPDayKey(d))
		case xp.rollup.Calendar.Begins(d):
			open = append(open, d)
		}
	}
	gained, err := xp.gained(ctx, open)
	if err != nil {
		return 0, err
	}
	if err := xp.db.WriteMembers(ctx, scratch, gained); err != nil {
		return 0, err
	}
	large, err := xp.rollup.Large(ctx, "", sources)
	if err != nil {
		return 0, err
	}
	var p redis.Pipeline
	if large {
		all, err := xp.rollup.Unite(ctx, game.Sum, sources)
		if err != nil {
			return 0, err
		}
		players = int64(len(all))
		if err := xp.db.Replace(ctx, key, players, maps.All(all)); err != nil {
			return 0, err
		}
	} else {
		p.Add(derive.Union(key, "SUM", sources...), redis.IntInto(&players))
	}
	p.Add(redis.ExpireBy(xp.db, key, expires), nil)
	if len(gained) > 0 {
		p.Add(upstash.Cmd("UNLINK", scratch).Idempotent(), nil)
	}
	_, err = p.Run(ctx, xp.db.Redis)
	return players, err
}
