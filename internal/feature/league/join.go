package league

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// mostJoining is how many players join at once: some 300 KB. The others join with the next
	// refresh.
	mostJoining = 10_000
	// stays is how long the keys of a week outlive it, for reads under way.
	stays = time.Hour
	// perPlayer is how much older the week's XP may be for each player with XP: the cost of
	// making it grows with their number.
	perPlayer = time.Millisecond
)

// refresh makes the week's XP again, unless some process has done so within a time, and lets
// all players join who have XP and no cohort. Errors: game.ErrLeagueUnsettled.
func (l *Leagues) refresh(ctx context.Context, week game.Period, within time.Duration) error {
	xpKey, key := XPKey(week.First()), Key(week.First())
	last, known := l.refreshed.Get(xpKey)
	every := l.Rollup.Measures().RefreshEvery(max(within, time.Duration(last.players)*perPlayer))
	if known && l.DB.Elapsed()-last.at < every {
		return nil
	}
	began, at := l.DB.Now(), l.DB.Elapsed()
	lock := upstash.Cmd("SET", game.RefreshKey(xpKey, began.UnixNano()/int64(every)), l.DB.ID, "NX", "EX", redis.Itoa(int64(every/time.Second)+1))
	reply, err := l.DB.Redis.Do(ctx, lock)
	if err != nil {
		return err
	}
	if reply.IsNil() {
		l.refreshed.Add(xpKey, refreshed{at, last.players})
		return nil
	}
	end := expires(l.DB.Game, week)
	players, err := l.XP.DeriveWeek(ctx, week, xpKey, end)
	if err != nil {
		return err
	}
	joining, err := l.joining(ctx, xpKey, key, players)
	if err != nil {
		return err
	}
	l.refreshed.Add(xpKey, refreshed{at, players})
	return l.join(ctx, week, joining, began, end)
}

// expires is when the keys of a week expire.
func expires(g *game.Game, week game.Period) time.Time { return g.Ends(week).Add(stays) }

// joining returns up to mostJoining players with XP who are in no cohort that Redis has,
// lowest XP first. players is the number of players with XP.
//
// Cost: 3 billed commands. If players is above [derive.UnionBound], 1, and 3 for every 10,000
// of them until enough are found.
func (l *Leagues) joining(ctx context.Context, xpKey, key string, players int64) (joining []string, err error) {
	if players > derive.UnionBound {
		return l.joiningInPages(ctx, xpKey, key, players)
	}
	scratch := l.DB.Scratch(key)
	var p redis.Pipeline
	p.Add(upstash.Cmd("ZDIFFSTORE", scratch, "2", xpKey, key).Idempotent(), nil)
	p.Add(upstash.Cmd("EXPIRE", scratch, redis.Itoa(redis.ScratchSeconds)).Idempotent(), nil)
	p.Add(upstash.Cmd("ZRANGEBYSCORE", scratch, "(0", "+inf", "LIMIT", "0", redis.Itoa(mostJoining)), stringsInto(&joining))
	_, err = p.Run(ctx, l.DB.Redis)
	return joining, err
}

// joiningInPages is joining in short steps, so that it does not block Redis.
func (l *Leagues) joiningInPages(ctx context.Context, xpKey, key string, players int64) (joining []string, err error) {
	var first redis.Pipeline
	var from int64 // players before this position have no XP
	first.Add(upstash.Cmd("ZCOUNT", xpKey, "-inf", "0"), redis.IntInto(&from))
	if _, err := first.Run(ctx, l.DB.Redis); err != nil {
		return nil, err
	}
	scratch := l.DB.Scratch(key)
	for ; from < players && len(joining) < mostJoining; from += mostJoining {
		var page []string
		var p redis.Pipeline
		p.Add(upstash.Cmd("ZRANGESTORE", scratch, xpKey, redis.Itoa(from), redis.Itoa(from+mostJoining-1)).Idempotent(), nil)
		p.Add(upstash.Cmd("EXPIRE", scratch, redis.Itoa(redis.ScratchSeconds)).Idempotent(), nil)
		p.Add(upstash.Cmd("ZDIFF", "2", scratch, key), stringsInto(&page))
		if _, err := p.Run(ctx, l.DB.Redis); err != nil {
			return nil, err
		}
		joining = append(joining, page...)
	}
	return joining[:min(len(joining), mostJoining)], nil
}

func stringsInto(players *[]string) func(upstash.Reply) error {
	return func(r upstash.Reply) (err error) {
		*players, err = r.Strings()
		return err
	}
}

// join lets players join the cohorts of a week, in the archive first.
func (l *Leagues) join(ctx context.Context, week game.Period, players []string, from, end time.Time) error {
	if len(players) == 0 {
		return nil
	}
	if err := adopt(ctx, l.DB, l.Archive); err != nil {
		return err
	}
	seats, err := l.Archive.Join(ctx, week.First(), players, from)
	if err != nil || len(seats) == 0 {
		return err
	}
	key := Key(week.First())
	args := []string{"ZADD", key}
	for _, seat := range seats {
		args = append(args, redis.Itoa(seat.Code()), seat.Player)
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd(args...).Idempotent(), nil)
	p.Add(redis.ExpireBy(l.DB, key, end), nil)
	_, err = p.Run(ctx, l.DB.Redis)
	return err
}
