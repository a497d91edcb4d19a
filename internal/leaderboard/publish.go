package leaderboard

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// publishGap is the least time between two messages of this process about one board.
	publishGap = time.Second
	// publishSilence is how long this process sends no messages after one that nobody received.
	publishSilence = 30 * time.Second
	// publishedBoards is for how many boards a process remembers its last message.
	publishedBoards = 1024
)

// publisher announces with each write which boards it changes, in games that say so: for processes
// with viewers that Redis does not notify of changes; see package live. These also read boards
// by the clock, so a message may be lost. A failed message never harms the write.
//
// Cost: none, unless the game is live. Then 1 billed command in the write's round trip, at most
// every second for each day's board and process, and every 30 s if nobody receives it.
type publisher struct {
	on      bool
	elapsed func() time.Duration

	mu     sync.Mutex
	last   *lru.Cache[string, time.Duration]
	silent time.Duration // no messages until then
}

func newPublisher(on bool, elapsed func() time.Duration) *publisher {
	last := lru.New[string, time.Duration](publishedBoards)
	return &publisher{on: on, elapsed: elapsed, last: last}
}

// publish queues a message about the boards of writes to one day, if one is due.
func (pub *publisher) publish(p *redis.Pipeline, writes ...*write) {
	if !pub.on || !pub.isDue(writes[0].board.Key) {
		return
	}
	keys := []string{writes[0].board.Key}
	for _, w := range writes {
		keys = append(append(keys, w.scoped...), w.own...)
	}
	slices.Sort(keys)
	message := strings.Join(slices.Compact(keys), "\n")
	p.Aside(upstash.Cmd("PUBLISH", game.LiveChangesChannel, message).Idempotent(), pub.heard)
}

func (pub *publisher) isDue(day string) bool {
	pub.mu.Lock()
	defer pub.mu.Unlock()
	now := pub.elapsed()
	if last, ok := pub.last.Get(day); now < pub.silent || ok && now-last < publishGap {
		return false
	}
	pub.last.Add(day, now)
	return true
}

// heard notes how many processes have received the message.
func (pub *publisher) heard(r upstash.Reply) {
	if n, err := r.Int64(); err == nil && n > 0 {
		return
	}
	pub.mu.Lock()
	defer pub.mu.Unlock()
	pub.silent = pub.elapsed() + publishSilence
}
