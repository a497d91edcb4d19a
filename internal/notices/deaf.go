package notices

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
	// deafRound is what the end of a notice is rounded up to, so that all processes that are
	// deaf at one time write the same notice.
	deafRound = 10 * time.Minute
	// deafLeast is how long a notice must still be valid; otherwise its process writes a new
	// one. It is longer than processes take to read the notices again.
	deafLeast = readWithin + 5*time.Minute
)

// Deaf says whether viewers watch boards in a deaf process: one that Redis does not notify of
// changes. Then the processes that write have to publish changes themselves. The notice is in
// the set of bans, which each of them reads anyway, and contains its end. It is safe for
// concurrent use.
type Deaf struct {
	db *rdb.DB

	asking sync.Mutex // held while Redis is written to

	mu    sync.Mutex
	until time.Time // until when a process is deaf; zero: none is, as far as this process knows
	over  []string  // notices in Redis whose end has passed
	ours  string    // the notice that this process has written; empty: none
}

// On reports whether changes are to be published, as far as this process knows. The caller has
// called [Notices.MayWrite] before.
func (d *Deaf) On() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.until.IsZero() && d.db.Now().Before(d.until)
}

// Ask makes processes that write publish changes: this one at once, others after
// [NoticedWithin] at the latest. A deaf process calls it again and again while it wants to hear
// of changes.
//
// Cost: 2 billed commands in ten minutes at most, 1 the first time.
func (d *Deaf) Ask(ctx context.Context) error {
	d.asking.Lock()
	defer d.asking.Unlock()
	now := d.db.Now()
	d.mu.Lock()
	holds, ours, over := d.until, d.ours, slices.Clone(d.over)
	d.mu.Unlock()
	if ours != "" && holds.Sub(now) >= deafLeast {
		return nil
	}
	until := now.Add(deafLeast + deafRound).Truncate(deafRound)
	text := seconds(until)
	if ours != "" && ours != text {
		over = append(over, ours)
	}
	var p rdb.Pipeline
	p.Add(upstash.Cmd("SADD", game.BansKey, game.DeafMember(text)).Idempotent(), nil)
	if len(over) > 0 {
		p.Add(withdraw(over), nil)
	}
	if _, err := p.Run(ctx, d.db.Redis); err != nil {
		return rdb.Wrap("ask to be told of changes", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.until, d.ours, d.over = until, text, nil
	return nil
}

// NoLonger deletes the notice of this process. Other deaf processes, which may have the same
// notice, write it again.
//
// Cost: 1 billed command if this process has a notice, otherwise nothing.
func (d *Deaf) NoLonger(ctx context.Context) error {
	d.asking.Lock()
	defer d.asking.Unlock()
	d.mu.Lock()
	ours := d.ours
	d.mu.Unlock()
	if ours == "" {
		return nil
	}
	if _, err := d.db.Redis.Do(ctx, withdraw([]string{ours})); err != nil {
		return rdb.Wrap("ask no longer to be told of changes", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.until, d.ours = time.Time{}, ""
	return nil
}

func withdraw(notices []string) upstash.Command {
	command := []string{"SREM", game.BansKey}
	for _, text := range notices {
		command = append(command, game.DeafMember(text))
	}
	return upstash.Cmd(command...).Idempotent()
}

// read notes the notices in Redis. The one that ends last counts.
func (d *Deaf) read(notices []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.db.Now()
	d.until, d.over = time.Time{}, nil
	ours := false
	for _, text := range notices {
		until := parse(text)
		d.until = latest(d.until, until)
		ours = ours || text == d.ours
		if !now.Before(until) && text != d.ours {
			d.over = append(d.over, text)
		}
	}
	if !ours { // another process has deleted it
		d.ours = ""
	}
}
