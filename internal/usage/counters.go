package usage

import (
	"context"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

const (
	// writePause is the least time between two writes of one process.
	writePause = 5 * time.Minute
	// worthWriting is how many commands a write must tell of: it costs one.
	worthWriting = 100
	// worthEnding is the same for the write before a process ends, when the choice
	// is between writing and losing.
	worthEnding = 20
	// heldDays bounds what waits for a Redis that does not answer, in days.
	heldDays = 3
)

// Key is the hash of a day's counters: one field for each function and process,
// with what that process has counted since the day began.
func Key(day game.Date) string { return "usage:" + day.String() }

// Counters add up the calls of one function in one process by day, in UTC. They
// are safe for concurrent use.
type Counters struct {
	redis *upstash.Client
	field string

	mu      sync.Mutex
	days    map[game.Date]*dayCount
	tried   time.Time // of the last write
	last    time.Time // of the last call
	writing bool
}

type dayCount struct {
	total     Count
	unwritten int64 // commands
}

// NewCounters makes the counters of a function. The process needs a name that no
// other process has; neither may hold a colon.
func NewCounters(redis *upstash.Client, function, process string) *Counters {
	return &Counters{redis: redis, field: function + ":" + process, days: map[game.Date]*dayCount{}}
}

// Add counts, and tells whether it is time to write.
func (c *Counters) Add(at time.Time, n Count) (due bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(at, n)
	if due = !c.writing && c.unwritten() >= worthWriting && at.Sub(c.tried) >= writePause; due {
		c.tried = at
	}
	return due
}

// WorthEnding tells whether there is enough to write before the process ends: 20
// commands.
func (c *Counters) WorthEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unwritten() >= worthEnding
}

func (c *Counters) unwritten() (commands int64) {
	for _, d := range c.days {
		commands += d.unwritten
	}
	return commands
}

func (c *Counters) add(at time.Time, n Count) {
	c.last = at
	day := game.DateOf(at)
	d := c.days[day]
	if d == nil {
		d = &dayCount{}
		c.days[day] = d
		for known := range c.days {
			if day.DaysSince(known) >= heldDays {
				delete(c.days, known)
			}
		}
	}
	d.total.Add(n)
	d.unwritten += n.Commands
}

// Write writes what has not been written: 1 billed command, 1 round trip, and one
// command more where a day has ended in between. A write that fails is made up
// for by the next one, since each writes whole sums. What a write costs is
// counted, and told by the next.
func (c *Counters) Write(ctx context.Context) error {
	commands, told := c.begin()
	if len(commands) == 0 {
		return nil
	}
	var meter upstash.Meter
	result, err := c.redis.Pipeline(upstash.WithMeter(ctx, &meter), commands...)
	if err == nil {
		err = result.Err()
	}
	spent := meter.Usage()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = false
	if err == nil {
		for day, n := range told {
			if d := c.days[day]; d != nil {
				d.unwritten -= n
				if d.unwritten == 0 && day != game.DateOf(c.last) {
					delete(c.days, day)
				}
			}
		}
	}
	c.add(c.last, Count{Commands: spent.Commands, RoundTrips: spent.RoundTrips, Sent: spent.BytesSent, Received: spent.BytesReceived})
	return err
}

// begin makes the commands of a write, one at a time.
func (c *Counters) begin() (commands []upstash.Command, told map[game.Date]int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writing {
		return nil, nil
	}
	told = map[game.Date]int64{}
	for day, d := range c.days {
		if d.unwritten == 0 {
			continue
		}
		told[day] = d.unwritten
		commands = append(commands, upstash.Cmd("HSET", Key(day), c.field, d.total.String()).Idempotent())
	}
	c.writing = len(commands) > 0
	return commands, told
}
