package board

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// toldGap is the least time between two messages of this process about one board.
	toldGap = time.Second
	// toldSilence is how long this process sends no messages after one that nobody received.
	toldSilence = 30 * time.Second
	// toldOf is for how many boards a process remembers its last message.
	toldOf = 1024
)

// told publishes with each write which boards it changes, while there is a deaf process: one
// with viewers that Redis does not notify of changes; see package live. A deaf process also
// reads boards by the clock, so a message may be lost. A failed message never harms the write.
//
// Cost: usually none. While there is a deaf process, 1 billed command in the write's round trip,
// at most every second for each day's board and process, and every 30 s if nobody receives it.
type told struct {
	deaf    *notices.Deaf
	elapsed func() time.Duration

	mu     sync.Mutex
	last   *lru.Cache[string, time.Duration]
	silent time.Duration // no messages until then
}

func newTold(deaf *notices.Deaf, elapsed func() time.Duration) *told {
	last := lru.New[string, time.Duration](toldOf)
	return &told{deaf: deaf, elapsed: elapsed, last: last}
}

// of queues a message about the boards of writes to one day, if one is due.
func (t *told) of(p *rdb.Pipeline, writes ...*write) {
	if !t.deaf.On() || !t.due(writes[0].board.Key) {
		return
	}
	keys := []string{writes[0].board.Key}
	for _, w := range writes {
		keys = append(append(keys, w.scoped...), w.own...)
	}
	slices.Sort(keys)
	message := strings.Join(slices.Compact(keys), "\n")
	p.Aside(upstash.Cmd("PUBLISH", game.LiveToldChannel, message).Idempotent(), t.heard)
}

func (t *told) due(day string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.elapsed()
	if last, ok := t.last.Get(day); now < t.silent || ok && now-last < toldGap {
		return false
	}
	t.last.Add(day, now)
	return true
}

// heard notes how many processes have received the message.
func (t *told) heard(r upstash.Reply) {
	if n, err := r.Int64(); err == nil && n > 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.silent = t.elapsed() + toldSilence
}
