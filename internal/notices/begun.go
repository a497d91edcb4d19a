package notices

import (
	"slices"
	"strings"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A process of a function often lives only for minutes. A new one would set expiry and index
// again for boards that have them. So processes note what they have done. The notes are in the
// set of bans, which every process that writes reads anyway.

// Begun is what processes note for those that start later: which days' boards have their expiry
// and index. It is safe for concurrent use.
type Begun struct {
	db *rdb.DB

	mu       sync.Mutex
	read     bool
	seenTo   map[string]bool // notices of days that Redis has
	unshared []string        // notices of days that are still to be written
	over     []string        // notices in Redis that are no longer valid
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
func (b *Begun) take(days []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read, b.seenTo, b.over = true, map[string]bool{}, nil
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
	b.read, b.seenTo, b.unshared, b.over = false, nil, nil, nil
}

// share queues new notices for other processes, after a write.
//
// Cost: nothing, or 1 billed command for new notices, and 1 more if others are no longer valid.
func (b *Begun) share(p *rdb.Pipeline) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.read || len(b.unshared) == 0 {
		return
	}
	add, over := slices.Clone(b.unshared), slices.Clone(b.over)
	p.Add(upstash.Cmd(append([]string{"SADD", game.BansKey}, add...)...).Idempotent(), func(upstash.Reply) error {
		b.shared(add, over)
		return nil
	})
	if len(over) > 0 {
		p.Add(upstash.Cmd(append([]string{"SREM", game.BansKey}, over...)...).Idempotent(), nil)
	}
}

// shared notes that Redis has the notices that share has queued.
func (b *Begun) shared(add, over []string) {
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
}
