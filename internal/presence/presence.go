// Package presence knows how many players are there: who has asked for anything
// in the last two minutes, in any process.
//
// A process remembers who has asked, and tells Redis of all of them at once: half a
// minute after the last time where somebody is new, else a minute after it. Nothing
// runs between requests, since a function is frozen then: whoever asks next brings
// along what is due.
//
// The package knows one key. It must not know HTTP, or why somebody asked.
package presence

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// Window is how long a player counts as there after having asked for anything.
	Window = 2 * time.Minute
	// Every is how often a process tells Redis, and asks it, at most.
	Every = 30 * time.Second
	// again is how long Redis need not be told of a player once more: with a round to
	// either side that is within the window.
	again = time.Minute

	perWrite = 1000   // players in one command: some 40 KB
	most     = 20_000 // players that a process remembers; more than that are not counted

	// tidyRounds is how many rounds, forty minutes, one that removes who has left comes
	// after another, and halfway one that sets how long the key stays where nobody is
	// there any more.
	tidyRounds = 80
	abandoned  = time.Hour
)

// Count is how many players were there at a time.
type Count struct {
	Players int64
	At      time.Time
}

// Presence is one process's part of it. It is safe for concurrent use.
type Presence struct {
	redis  *upstash.Client
	now    func() time.Time
	banned func(ctx context.Context, player string) (bool, error)

	asking sync.Mutex // held while a count that nobody knows is asked for

	mu     sync.Mutex
	seen   map[string]int64 // who has asked since the last round: when, in Unix seconds
	told   map[string]bool  // who was seen by the last write
	wrote  time.Time        // when that was
	next   time.Time        // when the next round is due
	rounds int
	wanted bool // somebody has asked this process how many are there
	count  Count
}

// New makes a Presence. Players who are banned are not counted.
func New(redis *upstash.Client, now func() time.Time, banned func(context.Context, string) (bool, error)) *Presence {
	return &Presence{redis: redis, now: now, banned: banned, seen: map[string]int64{}}
}

// See notes that a player has asked for something. It costs nothing.
func (p *Presence) See(player string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.seen[player]; known || len(p.seen) < most {
		p.seen[player] = p.now().Unix()
	}
}

// Tell tells Redis who was seen, where that is due.
//
// Cost: nothing, or every minute 1 billed command for each 1,000 players who were seen
// since, and 1 where this process is asked how many are there; every half a minute
// where somebody is new each time: at most 4 a minute for up to 1,000.
func (p *Presence) Tell(ctx context.Context) error {
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
		return rdb.Wrap("tidy up who is there", err)
	}
	writes := p.due(now)
	counts := p.wanted && (writes || now.Sub(p.count.At) >= again)
	var seen map[string]int64
	if writes {
		seen, p.seen = p.seen, map[string]int64{}
	}
	p.mu.Unlock()

	var pipeline rdb.Pipeline
	err := p.add(ctx, &pipeline, seen, now)
	var players int64
	if counts {
		pipeline.Add(counting(now), rdb.IntInto(&players))
	}
	if err == nil {
		_, err = pipeline.Run(ctx, p.redis)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.remember(seen)
		return rdb.Wrap("tell who is there", err)
	}
	if writes {
		p.wrote, p.told = now, make(map[string]bool, len(seen))
		for player := range seen {
			p.told[player] = true
		}
	}
	if counts {
		p.count = Count{players, now}
	}
	return nil
}

// due reports whether Redis has to be told: of somebody new, or of all once more. The
// lock is held.
func (p *Presence) due(now time.Time) bool {
	if now.Sub(p.wrote) >= again {
		return len(p.seen) > 0
	}
	for player := range p.seen {
		if !p.told[player] {
			return true
		}
	}
	return false
}

// Count says how many players are there, as of a minute ago at most.
//
// Cost: nothing, or that of Tell; 1 billed command where this process knows no count.
func (p *Presence) Count(ctx context.Context) (Count, error) {
	p.mu.Lock()
	p.wanted = true
	p.mu.Unlock()
	err := p.Tell(ctx)
	p.asking.Lock()
	defer p.asking.Unlock()
	known, now := p.known(), p.now()
	if !known.At.IsZero() && now.Sub(known.At) < again {
		return known, nil // what could not be told is told later
	}
	if err != nil {
		return Count{}, err
	}
	var players int64
	var pipeline rdb.Pipeline
	pipeline.Add(counting(now), rdb.IntInto(&players))
	if _, err := pipeline.Run(ctx, p.redis); err != nil {
		return Count{}, rdb.Wrap("count who is there", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = Count{players, now}
	return p.count, nil
}

// Forget takes a player out, in this process and in Redis. 1 billed command.
func (p *Presence) Forget(ctx context.Context, player string) error {
	p.mu.Lock()
	delete(p.seen, player)
	delete(p.told, player)
	p.mu.Unlock()
	_, err := p.redis.Do(ctx, upstash.Cmd("ZREM", game.PresenceKey, player).Idempotent())
	return rdb.Wrap("forget that a player is there", err)
}

func (p *Presence) known() Count {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count
}

// add queues the writes of who was seen within the window. A process that was frozen
// tells of the past: what Redis knows of later than that stands.
func (p *Presence) add(ctx context.Context, pipeline *rdb.Pipeline, seen map[string]int64, now time.Time) error {
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
			words = append(words, rdb.Itoa(at), player)
		}
	}
	for some := range slices.Chunk(words, 2*perWrite) {
		pipeline.Add(upstash.Cmd(append([]string{"ZADD", game.PresenceKey, "GT"}, some...)...).Idempotent(), nil)
	}
	return nil
}

// remember puts back who could not be told of. The lock is held.
func (p *Presence) remember(seen map[string]int64) {
	for player, at := range seen {
		if _, since := p.seen[player]; !since && len(p.seen) < most {
			p.seen[player] = at
		}
	}
}

// tidying is what a round does in place of its write and count, once in a while:
// those come with the next one.
func tidying(round int, now time.Time) (c upstash.Command, tidies bool) {
	switch round % tidyRounds {
	case 2:
		return upstash.Cmd("ZREMRANGEBYSCORE", game.PresenceKey, "-inf", rdb.Itoa(now.Add(-Window).Unix())).Idempotent(), true
	case 2 + tidyRounds/2:
		return upstash.Cmd("EXPIRE", game.PresenceKey, rdb.Itoa(int64(abandoned/time.Second))).Idempotent(), true
	}
	return c, false
}

// counting counts those who have asked less than the window ago.
func counting(now time.Time) upstash.Command {
	return upstash.Cmd("ZCOUNT", game.PresenceKey, "("+rdb.Itoa(now.Add(-Window).Unix()), "+inf")
}
