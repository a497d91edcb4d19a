package usage

import (
	"context"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// writePause is the least time between two writes of one process.
	writePause = 5 * time.Minute
	// worthWriting is how many commands a write must report for each command that it costs.
	worthWriting = 100
	// worthEnding is the same for the write before a process ends, when what is not written is
	// lost.
	worthEnding = 20
	// heldDays bounds what waits for a Redis that does not answer, in days.
	heldDays = 3
)

// Key is the hash of a day's counters: a few fields for each function and process,
// with what that process has counted since the day began, see fieldOf.
func Key(day game.Date) string { return "usage:" + day.String() }

// Counters add up the calls of one function in one process by day, in UTC. They
// are safe for concurrent use.
type Counters struct {
	redis   *upstash.Client
	process string        // its name, after its function's
	guard   *budget.Guard // nil: no budget

	memoryMB int64 // on Lambda; 0: elsewhere

	mu      sync.Mutex
	days    map[game.Date]*dayCount
	tried   time.Time // of the last write
	last    time.Time // of the last call
	writing bool
	looked  bool // it has looked at the month's totals since the last write
	began   bool // this process was the first of all to report a day
}

// NewCounters makes the counters of a function. The process needs a name that no
// other process has; neither may hold a colon.
func NewCounters(redis *upstash.Client, function, process string) *Counters {
	return &Counters{redis: redis, process: function + ":" + process, days: map[game.Date]*dayCount{}}
}

// Add counts a call, and returns what is due: a write, a look, or nothing (nil).
func (c *Counters) Add(at time.Time, n Call) (due func(context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	day := c.add(at, n.Route, n.Caller, n.count())
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

// WorthEnding reports whether there is enough to write before the process ends: 20
// commands, and as many more where there is a budget, since a write costs 2 then.
func (c *Counters) WorthEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.guard != nil {
		return c.unwritten() >= 2*worthEnding
	}
	return c.unwritten() >= worthEnding
}

// cost is what the next write costs in commands, with the look before it.
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

// Write writes what has not been written: 1 billed command, 1 round trip, and one command more
// where a day has ended in between. The next write makes up for one that fails, since each
// writes whole sums. What a write costs is counted too, and reported by the next one.
//
// With a budget: 2 commands for each day, and 1 more on the first write of a day.
func (c *Counters) Write(ctx context.Context) error {
	w, ok := c.begin()
	if !ok {
		return nil
	}
	var meter upstash.Meter
	err := w.run(upstash.WithMeter(ctx, &meter), c.redis)
	c.mu.Lock()
	for _, t := range w.told {
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

// look reads the month's totals without a write, in a process that has spent too little yet to
// write: 1 billed command, 1 round trip.
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

// end counts what was spent on counting.
func (c *Counters) end(meter *upstash.Meter) {
	c.writing = false
	spent := meter.Usage()
	c.add(c.last, string(itself), Caller{Kind: itself}, Count{Commands: spent.Commands, RoundTrips: spent.RoundTrips, Sent: spent.BytesSent, Received: spent.BytesReceived})
}

// begin makes what is written, one at a time.
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
			w.told = append(w.told, d.tell(c.process, day, today))
		}
	}
	if w.totals {
		w.month, w.expire = !c.guard.Knows(today), c.began
	}
	c.writing = len(w.told) > 0
	return w, c.writing
}
