package usage

import (
	"context"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// writePause is the least time between two writes of one process.
	writePause = 5 * time.Minute
	// worthWriting is how many commands a write must report for each command that it costs.
	worthWriting = 100
	// worthEnding is the same for the last write of a process. It is less, since what the
	// process does not write then is lost.
	worthEnding = 20
	// heldDays is for how many days a process keeps counts while Redis does not answer.
	heldDays = 3
)

// Key is the hash of a day's counters. Each process has fields of its own in it, with what it
// has counted since the day began: see fieldOf.
func Key(day game.Date) string { return "usage:" + day.String() }

// Counters add up the calls of one function in one process, by day in UTC. They are safe for
// concurrent use.
type Counters struct {
	redis   *upstash.Client
	process string        // function:process, as fields begin
	guard   *budget.Guard // nil: no budget

	memoryMB int64 // on Lambda; 0: elsewhere

	mu      sync.Mutex
	days    map[game.Date]*dayCount
	tried   time.Time // of the last write
	last    time.Time // of the last call
	writing bool
	looked  bool // the process has read the month's totals since its last write
	began   bool // its last write was the first of all processes' on a day
}

// NewCounters makes the counters of a function. No other process may have the name of this
// process. Neither name may have a colon.
func NewCounters(redis *upstash.Client, function, process string) *Counters {
	return &Counters{redis: redis, process: function + ":" + process, days: map[game.Date]*dayCount{}}
}

// Add counts a call, and returns what is due: a write, reading the month's totals, or nothing
// (nil).
func (c *Counters) Add(at time.Time, n Call) (due func(context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	day := c.add(at, n.Route, n.Caller, n.Count())
	if c.memoryMB > 0 {
		day.lambda.count(n, c.memoryMB)
	}
	commands := c.unwritten()
	switch {
	case c.writing:
	case commands >= worthWriting*c.cost() && at.Sub(c.tried) >= writePause:
		c.tried = at
		return c.Write
	case c.guard != nil && commands >= worthWriting && !c.looked && !c.guard.Knows(game.DateOf(at)):
		c.looked = true
		return c.look
	}
	return nil
}

// WorthEnding reports whether the process has enough to report for a write before it ends: 20
// commands, or 40 with a budget, since the write then costs 2.
func (c *Counters) WorthEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.guard != nil {
		return c.unwritten() >= 2*worthEnding
	}
	return c.unwritten() >= worthEnding
}

// cost is how many commands the next write costs. If the process has read the month's totals
// for it, or will have to, that is one of them.
func (c *Counters) cost() int64 {
	switch {
	case c.guard == nil:
		return 1
	case c.looked || !c.guard.Knows(game.DateOf(c.last)):
		return 3
	}
	return 2
}

func (c *Counters) unwritten() (commands int64) {
	for _, d := range c.days {
		commands += d.unwritten
	}
	return commands
}

func (c *Counters) add(at time.Time, route string, who Caller, n Count) *dayCount {
	c.last = at
	day := game.DateOf(at)
	d := c.days[day]
	if d == nil {
		d = &dayCount{parts: map[purpose]*partCount{}}
		c.days[day] = d
		for known := range c.days {
			if day.DaysSince(known) >= heldDays {
				delete(c.days, known)
			}
		}
	}
	d.add(route, who, n)
	return d
}

// Write writes the counts that have changed since the last write. If a write fails, the next
// one makes up for it, since each writes whole sums. What a write costs is counted too, and the
// next write reports it.
//
// Cost: 1 round trip, and 1 billed command for each day with changes. With a budget 2 for each
// of these days, 1 more on the first write of a day, and 1 more on the write after the first of
// all processes' on a day.
func (c *Counters) Write(ctx context.Context) error {
	w, ok := c.begin()
	if !ok {
		return nil
	}
	var meter upstash.Meter
	err := w.run(upstash.WithMeter(ctx, &meter), c.redis)
	c.mu.Lock()
	for _, t := range w.writes {
		if d := c.days[t.day]; d != nil {
			d.settle(t)
			if d.unwritten == 0 && t.day != game.DateOf(c.last) {
				delete(c.days, t.day)
			}
		}
	}
	if err == nil {
		c.looked, c.began = false, w.began()
	}
	c.end(&meter)
	c.mu.Unlock()
	if err == nil {
		w.tell(c.guard)
	}
	return err
}

// look reads the month's totals without a write, for a process that has too little to report
// yet: 1 billed command, 1 round trip.
func (c *Counters) look(ctx context.Context) error {
	c.mu.Lock()
	today := game.DateOf(c.last)
	c.writing = true
	c.mu.Unlock()
	var meter upstash.Meter
	days, err := readTotals(upstash.WithMeter(ctx, &meter), c.redis, today)
	c.mu.Lock()
	c.end(&meter)
	c.mu.Unlock()
	if err == nil {
		c.guard.LearnMonth(today, days)
	}
	return err
}

// end counts what counting has spent.
func (c *Counters) end(meter *upstash.Meter) {
	c.writing = false
	spent := meter.Usage()
	c.add(c.last, string(itself), Caller{Kind: itself}, Count{Commands: spent.Commands, RoundTrips: spent.RoundTrips, Sent: spent.BytesSent, Received: spent.BytesReceived})
}

// begin makes the next write, if there is something to write and no other write is in progress.
func (c *Counters) begin() (w writing, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writing {
		return writing{}, false
	}
	today := game.DateOf(c.last)
	w = writing{totals: c.guard != nil, today: today}
	for day, d := range c.days {
		if d.unwritten > 0 {
			w.writes = append(w.writes, d.pack(c.process, day))
		}
	}
	if w.totals {
		w.month, w.expire = !c.guard.Knows(today), c.began
	}
	c.writing = len(w.writes) > 0
	return w, c.writing
}
