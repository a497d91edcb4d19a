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
	// toldGap is the least time between two tellings of one board by this process.
	toldGap = time.Second
	// toldSilence is how long this process tells of no board after nobody has
	// received what it told.
	toldSilence = 30 * time.Second
	// toldOf is how many boards a process remembers having told of.
	toldOf = 1024
)

// told tells of boards that are written, beside the write, while somebody watches whom
// Redis tells nothing; see package live. What is not told is found by the clock, so it
// may be lost, and never harms the write.
//
// Cost: none in general; while somebody is deaf 1 billed command, no round trip, at most
// every second for a day's board and process, and every 30 s where nobody receives it.
type told struct {
	deaf    *notices.Deaf
	elapsed func() time.Duration

	mu     sync.Mutex
	last   *lru.Cache[string, time.Duration]
	silent time.Duration // until then
}

func newTold(deaf *notices.Deaf, elapsed func() time.Duration) *told {
	last := lru.New[string, time.Duration](toldOf)
	return &told{deaf: deaf, elapsed: elapsed, last: last}
}

// of has writes to one day's board tell of it and of their groups', where that is due.
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

// heard takes how many have received it.
func (t *told) heard(r upstash.Reply) {
	if n, err := r.Int64(); err == nil && n > 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.silent = t.elapsed() + toldSilence
}
