package notices

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A process of a function often lives only for minutes. A new one would set expiry and index
// again for boards that have them, and would count boards of which it needs only the rough size.
// So processes note what they have found out. The notes are in the set of bans, which every
// process that writes reads anyway.

const (
	// LargeFrom is how many players a day's board may have without being large. Processes do
	// not read a large board whole.
	LargeFrom = 1200
	// largeFor is how long the notice of a large day is valid.
	largeFor = 35 * 24 * time.Hour
	// largeRenew is how long such a notice must still be valid; otherwise it is renewed.
	largeRenew = largeFor - 7*24*time.Hour
	// sizesFresh is how old the notices of sizes may be: as long as an environment of Lambda
	// lives. If a day has become large since, each process that does not know this reads its
	// board whole once.
	sizesFresh = 2 * time.Hour
)

// Begun is what processes note for those that start later: which days' boards have their expiry
// and index, and whether there are large ones. It is safe for concurrent use.
type Begun struct {
	db      *rdb.DB
	notices *Notices

	mu       sync.Mutex
	at       time.Duration // when the notices were read
	read     bool
	seenTo   map[string]bool // notices of days that Redis has
	unshared []string        // notices of days that are still to be written
	over     []string        // notices in Redis that are no longer valid
	until    time.Time       // until when the notice of large days is valid; zero: there is none
	largest  int64           // players on the largest day's board that this process knows
}

// Know makes sure that the notices have been read once, for a request that does not write.
// They may be old.
//
// Cost: 1 billed command in 1 round trip, once for a process.
func (b *Begun) Know(ctx context.Context) {
	if known, _ := b.notices.remembered.state(b.db.Elapsed()); !known {
		_, _ = b.notices.readStale(ctx) // if it fails, the process does without the notices
	}
}

// day is the notice that a day's board has its expiry and its place on the index; "" for keys
// that have no notice.
func (b *Begun) day(k DayKey) string {
	if k.Grouped() || k.Details || k.Plays || b.db.Age(game.Day.Of(k.Date)) != game.Open {
		return ""
	}
	return game.DayMember(k.Mode + " " + k.Date.String())
}

// take notes the notices in Redis. For boards with a notice, this process sets no expiry and no
// index.
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
	b.unshared = slices.DeleteFunc(b.unshared, func(member string) bool { return b.seenTo[member] })
}

// sawTo notes that Redis has given a day's board its expiry and its place on the index.
func (b *Begun) sawTo(k DayKey) {
	member := b.day(k)
	if member == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.seenTo[member] && !slices.Contains(b.unshared, member) {
		b.unshared = append(b.unshared, member)
	}
}

// forget drops the notices after a loss of Redis.
func (b *Begun) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read, b.seenTo, b.unshared, b.over, b.until = false, nil, nil, nil, time.Time{}
}

// Met notes how many players a day's board has.
func (b *Begun) Met(players int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.largest = max(b.largest, players)
}

// Large reports whether the game has days of more than 1,200 players, and whether this process
// knows that.
func (b *Begun) Large() (large, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.largest > LargeFrom:
		return true, true
	case !b.read || b.db.Elapsed()-b.at > sizesFresh:
		return false, false
	}
	return b.db.Now().Before(b.until), true
}

// AreFew reports whether the game is known to have no day of more than 1,200 players.
func (b *Begun) AreFew() bool {
	large, known := b.Large()
	return known && !large
}

// share queues new notices for other processes, after a write.
//
// Cost: nothing, or 1 billed command for new notices, and 1 more if others are no longer valid.
func (b *Begun) share(p *rdb.Pipeline) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.read {
		return
	}
	now := b.db.Now()
	add, over, until := slices.Clone(b.unshared), slices.Clone(b.over), b.until
	if b.largest > LargeFrom && b.until.Sub(now) < largeRenew {
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
		b.shared(add, over, until)
		return nil
	})
	if len(over) > 0 {
		p.Add(upstash.Cmd(append([]string{"SREM", game.BansKey}, over...)...).Idempotent(), nil)
	}
}

// shared notes that Redis has the notices that share has queued.
func (b *Begun) shared(add, over []string, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.read { // Redis was lost meanwhile, so the notices were for another one
		return
	}
	for _, member := range add {
		b.seenTo[member] = true
	}
	b.unshared = slices.DeleteFunc(b.unshared, func(member string) bool { return slices.Contains(add, member) })
	b.over = slices.DeleteFunc(b.over, func(member string) bool { return slices.Contains(over, member) })
	b.until = until
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// parse is the inverse of seconds. If the text is no time, it returns the zero time.
func parse(text string) (t time.Time) {
	if at, err := strconv.ParseInt(text, 10, 64); err == nil && at > 0 {
		t = time.Unix(at, 0)
	}
	return t
}

// seconds is a time as notices have it.
func seconds(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
