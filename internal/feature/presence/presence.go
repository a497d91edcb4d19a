// Package presence counts how many players are online: those who have sent any request in the
// last two minutes, to any process.
//
// A process remembers the players who have sent requests, and writes them to Redis together:
// half a minute after the last write if a player is new, otherwise a minute after it. Nothing
// runs between requests, because a function is frozen then: the next request does what is
// due.
//
// The package knows one key. It must not know HTTP, or what a request was for.
package presence

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// presenceKey is a sorted set: player -> when the player was last there, in Unix seconds.
const presenceKey = "presence"

const (
	// Window is how long after a request a player counts as online.
	Window = 2 * time.Minute
	// Every is the least time between two rounds of a process, in which it writes to Redis
	// and counts.
	Every = 30 * time.Second
	// again is how long a player's entry in Redis need not be renewed: even with one round
	// before and one after it, that is within the window.
	again = time.Minute

	perWrite = 1000   // players in one command: some 40 KB
	most     = 20_000 // players that a process remembers; further ones are not counted

	// tidyRounds is the number of rounds, forty minutes, between two that remove players who
	// have left. Halfway between, one round sets how long the key lives if nobody is online
	// any more.
	tidyRounds = 80
	abandoned  = time.Hour
)

// Count is how many players were online at a time.
type Count struct {
	Players int64
	At      time.Time
}

// Presence is the part of one process. It is safe for concurrent use.
type Presence struct {
	redis  *upstash.Client
	now    func() time.Time
	banned func(ctx context.Context, player string) (bool, error)

	asking sync.Mutex // held while a count is read that the process does not have

	mu      sync.Mutex
	seen    map[string]int64 // players since the last write, with the Unix seconds of their last request
	written map[string]bool  // players in the last write
	wrote   time.Time        // when the last write was
	next    time.Time        // when the next round is due
	rounds  int
	wanted  bool // this process has been asked for the count
	count   Count
}

// New makes a Presence. Banned players are not counted.
func New(redis *upstash.Client, now func() time.Time, banned func(context.Context, string) (bool, error)) *Presence {
	return &Presence{redis: redis, now: now, banned: banned, seen: map[string]int64{}}
}

// See notes that a player has sent a request. It costs nothing.
func (p *Presence) See(player string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.seen[player]; known || len(p.seen) < most {
		p.seen[player] = p.now().Unix()
	}
}

// WriteDue writes the players to Redis, if that is due.
//
// Cost: nothing, or every minute 1 billed command for each 1,000 players since the last
// write, and 1 if this process is asked for the count; every half minute if there is a new
// player each time: at most 4 a minute for up to 1,000.
func (p *Presence) WriteDue(ctx context.Context) error {
	p.mu.Lock()
	now := p.now()
	if now.Before(p.next) {
		p.mu.Unlock()
		return nil
	}
	p.next = now.Add(Every)
	p.rounds++
	if command, tidies := tidying(p.rounds, now); tidies {
		p.mu.Unlock()
		_, err := p.redis.Do(ctx, command)
		return redis.Wrap("tidy up who is there", err)
	}
	writes := p.isDue(now)
	counts := p.wanted && (writes || now.Sub(p.count.At) >= again)
	var seen map[string]int64
	if writes {
		seen, p.seen = p.seen, map[string]int64{}
	}
	p.mu.Unlock()

	var pipeline redis.Pipeline
	err := p.add(ctx, &pipeline, seen, now)
	var players int64
	if counts {
		pipeline.Add(counting(now), redis.IntInto(&players))
	}
	if err == nil {
		_, err = pipeline.Run(ctx, p.redis)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.remember(seen)
		return redis.Wrap("tell who is there", err)
	}
	if writes {
		p.wrote, p.written = now, make(map[string]bool, len(seen))
		for player := range seen {
			p.written[player] = true
		}
	}
	if counts {
		p.count = Count{players, now}
	}
	return nil
}

// isDue reports whether to write to Redis: a player is new, or all have to be renewed. The
// caller holds p.mu.
func (p *Presence) isDue(now time.Time) bool {
	if now.Sub(p.wrote) >= again {
		return len(p.seen) > 0
	}
	for player := range p.seen {
		if !p.written[player] {
			return true
		}
	}
	return false
}

// Count returns how many players are online, at most a minute old.
//
// Cost: nothing, or that of Tell; 1 billed command if this process has no count.
func (p *Presence) Count(ctx context.Context) (Count, error) {
	p.mu.Lock()
	p.wanted = true
	p.mu.Unlock()
	err := p.WriteDue(ctx)
	p.asking.Lock()
	defer p.asking.Unlock()
	known, now := p.lastCount(), p.now()
	if !known.At.IsZero() && now.Sub(known.At) < again {
		return known, nil // a failed write is repeated later
	}
	if err != nil {
		return Count{}, err
	}
	var players int64
	var pipeline redis.Pipeline
	pipeline.Add(counting(now), redis.IntInto(&players))
	if _, err := pipeline.Run(ctx, p.redis); err != nil {
		return Count{}, redis.Wrap("count who is there", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = Count{players, now}
	return p.count, nil
}

// Erase takes a player out, in this process and in Redis. 1 billed command.
func (p *Presence) Erase(ctx context.Context, player string) error {
	p.mu.Lock()
	delete(p.seen, player)
	delete(p.written, player)
	p.mu.Unlock()
	_, err := p.redis.Do(ctx, upstash.Cmd("ZREM", presenceKey, player).Idempotent())
	return redis.Wrap("forget that a player is there", err)
}

func (p *Presence) lastCount() Count {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

// add queues the writes of the players within the window. A process that was frozen may write
// old times, so GT keeps later ones in Redis.
func (p *Presence) add(ctx context.Context, pipeline *redis.Pipeline, seen map[string]int64, now time.Time) error {
	since := now.Add(-Window).Unix()
	var words []string
	for player, at := range seen {
		banned := false
		if p.banned != nil {
			var err error
			if banned, err = p.banned(ctx, player); err != nil {
				return err
			}
		}
		if at > since && !banned {
			words = append(words, redis.Itoa(at), player)
		}
	}
	for some := range slices.Chunk(words, 2*perWrite) {
		pipeline.Add(upstash.Cmd(append([]string{"ZADD", presenceKey, "GT"}, some...)...).Idempotent(), nil)
	}
	return nil
}

// remember puts back the players of a failed write. The caller holds p.mu.
func (p *Presence) remember(seen map[string]int64) {
	for player, at := range seen {
		if _, since := p.seen[player]; !since && len(p.seen) < most {
			p.seen[player] = at
		}
	}
}

// tidying is what a round does once in a while instead of its write and count, which then
// come with the next round.
func tidying(round int, now time.Time) (c upstash.Command, tidies bool) {
	switch round % tidyRounds {
	case 2:
		return upstash.Cmd("ZREMRANGEBYSCORE", presenceKey, "-inf", redis.Itoa(now.Add(-Window).Unix())).Idempotent(), true
	case 2 + tidyRounds/2:
		return upstash.Cmd("EXPIRE", presenceKey, redis.Itoa(int64(abandoned/time.Second))).Idempotent(), true
	}
	return c, false
}

// counting counts the players with a request within the window.
func counting(now time.Time) upstash.Command {
	return upstash.Cmd("ZCOUNT", presenceKey, "("+redis.Itoa(now.Add(-Window).Unix()), "+inf")
}
