package limit

// caller is one caller under one rule: everything that its decisions rest on. Its methods
// change nothing but the caller. Times are Unix nanoseconds.
type caller struct {
	rule      Rule
	id        string
	granted   window
	untold    int           // how many of those Redis was not told of yet; below 0: how many it was told of ahead
	elsewhere *shared       // nil until Redis was asked
	until     int64         // a pause that was begun elsewhere ends then
	mustAsk   bool          // the last ask was refused
	busy      chan struct{} // closed when the question under way has its answer
}

type verdict int

const (
	grant verdict = iota
	refuse
	ask
)

// decide says what to do with n more of what the rule counts.
func (c *caller) decide(now int64, n int) verdict {
	length := int64(c.rule.Window)
	c.granted.drop(now, length)
	if c.until > now+length { // no pause is that long: the clock was moved
		c.until = 0
	}
	used := c.granted.count()
	c.untold = min(c.untold, used)
	if c.elsewhere != nil && c.elsewhere.slot != now/c.rule.slot() {
		c.untold = max(c.untold, 0) // what was told ahead leaves the window before what is spent now
	}
	if used+c.othersAt(now)+n > c.rule.Count || c.until > now {
		return refuse
	}
	if c.rule.Shared && (c.mustAsk || c.untold+n >= c.rule.untold()) {
		return ask
	}
	return grant
}

func (c *caller) othersAt(at int64) int {
	if c.elsewhere == nil {
		return 0
	}
	return c.elsewhere.othersAt(at / c.rule.slot())
}

// question is what to ask Redis for n more.
func (c *caller) question(now int64, n int) Ask {
	a := Ask{Rule: c.rule, Caller: c.id, Now: now}
	if c.rule.Pause {
		return a
	}
	a.Tell = max(c.untold+n, 0)
	if c.elsewhere == nil {
		c.elsewhere = &shared{slot: -1}
	}
	a.Slot = now / c.rule.slot()
	c.elsewhere.enter(a.Slot)
	a.Create = !c.elsewhere.exists
	return a
}

// learn takes in the answer, and reports whether the n more may pass. Redis counts what it was
// told of even where they may not.
func (c *caller) learn(a Ask, got Answer, n int) (passes bool) {
	if c.rule.Pause {
		if c.until = got.Until; c.until > a.Now+int64(c.rule.Window) {
			c.until = 0 // no pause is that long: the clock was moved
		}
		return c.until <= a.Now
	}
	if c.elsewhere.learn(a, got) {
		c.untold -= a.Tell
	}
	c.mustAsk = c.granted.count()+c.othersAt(a.Now)+n > c.rule.Count
	return !c.mustAsk
}

// add counts n that pass.
func (c *caller) add(now int64, n int) {
	c.granted.add(now, int64(c.rule.Window), n)
	c.untold += n
}

// takeBack uncounts n that passed at a time. What Redis has counted stays counted there, and
// is set off against the next ones of the same slot.
func (c *caller) takeBack(at int64, n int) {
	c.untold -= c.granted.takeBack(at, n)
	if c.elsewhere != nil && c.elsewhere.slot != at/c.rule.slot() {
		c.untold = max(c.untold, 0)
	}
}

// correct makes n that passed at a time count as spent.
func (c *caller) correct(at int64, n, spent int) {
	if spent > n {
		c.add(at, spent-n)
	} else {
		c.takeBack(at, n-spent)
	}
}

// remaining is how many more requests may pass now, as far as is known.
func (c *caller) remaining(now int64) int {
	return max(0, c.rule.Count-c.granted.count()-c.othersAt(now))
}

// opens is when n more may pass, as far as is known: now or later. For more than the rule ever
// lets pass, it is when nothing else counts.
func (c *caller) opens(now int64, n int) int64 {
	length, slot := int64(c.rule.Window), c.rule.slot()
	at := max(now, c.until)
	for c.granted.countAt(at, length)+c.othersAt(at) > max(c.rule.Count-n, 0) {
		next := (at/slot + 1) * slot // the next slot begins
		for _, cell := range c.granted.cells {
			if end := cell.last + length; end > at {
				next = min(next, end)
			}
		}
		at = next
	}
	return at
}
