package notices

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A function lives for minutes, and one that has just started would see once more to
// keys that others have seen to, and count boards whose size it only has to know
// roughly. What others found out stands among the bans, which it reads anyway.

const (
	// largeFrom is from how many players on a day's board is large: it is not read whole.
	largeFrom = 1000
	// largeFor is for how long a game with a large day is one of large days.
	largeFor = 35 * 24 * time.Hour
	// largeRenew is how long a notice of large days must still hold, so as not to be
	// renewed.
	largeRenew = largeFor - 7*24*time.Hour
	// sizesFresh is how old what is known of sizes may be: as long as a function lives. A
	// day that has grown large since is read whole once by those who have not met it.
	sizesFresh = 2 * time.Hour
)

// Begun is what processes tell those that start after them: which days' boards have
// been seen to, and whether there are large ones. It is safe for concurrent use.
type Begun struct {
	db      *rdb.DB
	notices *Notices

	mu      sync.Mutex
	at      time.Duration // when the notices were read
	read    bool
	seenTo  map[string]bool // notices of days that stand in Redis
	untold  []string        // notices of days that are to be left
	over    []string        // notices that hold no more
	until   time.Time       // until when days are large; zero: none was met
	largest int64           // day's board that this process has met
}

// Know sees to it that the notices have been read once, for who does not write: what they
// say may be old.
//
// Cost: 1 billed command in 1 round trip, once for a process.
func (b *Begun) Know(ctx context.Context) {
	if known, _ := b.notices.bans.state(b.db.Elapsed()); !known {
		_, _ = b.notices.readStaleBans(ctx) // else nothing is known
	}
}

// day is the notice that a day's board has its expiry and its place on the index; "" for
// keys of which none is left.
func (b *Begun) day(k DayKey) string {
	if k.Grouped() || k.Details || k.Plays || b.db.Age(game.Day.Of(k.Date)) != game.Open {
		return ""
	}
	return game.DayMember(k.Mode + " " + k.Date.String())
}

// take takes in what stands in Redis. Boards that others have seen to are seen to.
func (b *Begun) take(days, large []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.db.Now()
	b.at, b.read, b.seenTo, b.over, b.until = b.db.Elapsed(), true, map[string]bool{}, nil, time.Time{}
	for _, text := range days {
		mode, day, _ := strings.Cut(text, " ")
		date, err := game.ParseDate(day)
		if err != nil || b.db.Age(game.Day.Of(date)) > game.Open {
			b.over = append(b.over, game.DayMember(text))
			continue
		}
		b.seenTo[game.DayMember(text)] = true
		b.db.Expiring.Add(game.DayBoardKey(mode, date), struct{}{})
	}
	for _, text := range large {
		if until := parse(text); now.Before(until) {
			b.until = latest(b.until, until)
		} else {
			b.over = append(b.over, game.LargeMember(text))
		}
	}
	b.untold = slices.DeleteFunc(b.untold, func(member string) bool { return b.seenTo[member] })
}

// sawTo notes that Redis has given a day's board its expiry and its place on the index.
func (b *Begun) sawTo(k DayKey) {
	member := b.day(k)
	if member == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.seenTo[member] && !slices.Contains(b.untold, member) {
		b.untold = append(b.untold, member)
	}
}

// forget drops what was to be told of a Redis that is another one now.
func (b *Begun) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read, b.seenTo, b.untold, b.over, b.until = false, nil, nil, nil, time.Time{}
}

// Met takes in how many players a day's board has.
func (b *Begun) Met(players int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.largest = max(b.largest, players)
}

// Large reports whether the game has days of more than 1,000 players, as far as this
// process knows, and whether it does.
func (b *Begun) Large() (large, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.largest > largeFrom:
		return true, true
	case !b.read || b.db.Elapsed()-b.at > sizesFresh:
		return false, false
	}
	return b.db.Now().Before(b.until), true
}

// AreFew reports whether the game is known to have no day of more than 1,000 players.
func (b *Begun) AreFew() bool {
	large, known := b.Large()
	return known && !large
}

// tell queues what others are to be told, behind a write.
//
// Cost: nothing, or 1 billed command for what is new, and 1 more where notices are over.
func (b *Begun) tell(p *rdb.Pipeline) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.read {
		return
	}
	now := b.db.Now()
	add, over, until := slices.Clone(b.untold), slices.Clone(b.over), b.until
	if b.largest > largeFrom && b.until.Sub(now) < largeRenew {
		if now.Before(until) {
			over = append(over, game.LargeMember(seconds(until)))
		}
		until = now.Add(largeFor).Truncate(24 * time.Hour)
		add = append(add, game.LargeMember(seconds(until)))
	}
	if len(add) == 0 {
		return
	}
	p.Add(upstash.Cmd(append([]string{"SADD", game.BansKey}, add...)...).Idempotent(), func(upstash.Reply) error {
		b.told(add, over, until)
		return nil
	})
	if len(over) > 0 {
		p.Add(upstash.Cmd(append([]string{"SREM", game.BansKey}, over...)...).Idempotent(), nil)
	}
}

// told takes in that Redis has what was told.
func (b *Begun) told(add, over []string, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.read { // of another Redis
		return
	}
	for _, member := range add {
		b.seenTo[member] = true
	}
	b.untold = slices.DeleteFunc(b.untold, func(member string) bool { return slices.Contains(add, member) })
	b.over = slices.DeleteFunc(b.over, func(member string) bool { return slices.Contains(over, member) })
	b.until = until
}
