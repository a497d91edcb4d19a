package limit

// caller is one caller under one rule: all that its decisions rest on. Its
// methods are pure but for the caller itself; times are Unix nanoseconds.
type caller struct {
	rule      Rule
	id        string
	granted   window
	untold    int           // of those, not told to Redis yet
	elsewhere *shared       // nil until Redis was asked
	until     int64         // a pause that was begun elsewhere ends then
	mustAsk   bool          // the last ask was refused
	busy      chan struct{} // closed when the ask under way has its answer
}

type verdict int

const (
	grant verdict = iota
	refuse
	ask
)

// decide tells what to do with one more request.
func (c *caller) decide(now int64) verdict {
	length := int64(c.rule.Window)
	c.granted.drop(now, length)
	if c.until > now+length { // no pause is that long: the clock was moved
		c.until = 0
	}
	used := c.granted.count()
	c.untold = min(c.untold, used)
	if used+c.othersAt(now)+1 > c.rule.Count || c.until > now {
		return refuse
	}
	if c.rule.Shared && (c.mustAsk || c.untold+1 >= c.rule.untold()) {
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

// question is what Redis is asked for one more request.
func (c *caller) question(now int64) Ask {
	a := Ask{Rule: c.rule, Caller: c.id, Now: now, Tell: c.untold + 1}
	if c.rule.Pause {
		return a
	}
	if c.elsewhere == nil {
		c.elsewhere = &shared{slot: -1}
	}
	a.Slot = now / c.rule.slot()
	c.elsewhere.enter(a.Slot)
	a.Create = !c.elsewhere.exists
	return a
}

// learn takes in the answer: whether the request may pass, and whether Redis
// has counted it.
func (c *caller) learn(a Ask, got Answer) (passes, told bool) {
	if c.rule.Pause {
		if c.until = got.Until; c.until > a.Now+int64(c.rule.Window) {
			c.until = 0 // no pause is that long: the clock was moved
		}
		return c.until <= a.Now, true
	}
	if told = c.elsewhere.learn(a, got); told {
		c.untold = 0
	}
	c.mustAsk = c.granted.count()+c.othersAt(a.Now)+1 > c.rule.Count
	return !c.mustAsk, told
}

// add counts a request that passes; told says that Redis has counted it.
func (c *caller) add(now int64, told bool) {
	c.granted.add(now, int64(c.rule.Window))
	if !told {
		c.untold++
	}
}

// takeBack uncounts a request that passed at a time. One that Redis counts
// already stays counted there.
func (c *caller) takeBack(at int64) {
	if c.granted.takeBack(at) && c.untold > 0 {
		c.untold--
	}
}

// remaining is how many more requests may pass now, as far as is known.
func (c *caller) remaining(now int64) int {
	return max(0, c.rule.Count-c.granted.count()-c.othersAt(now))
}

// opens is when the next request may pass, as far as is known: now or later.
func (c *caller) opens(now int64) int64 {
	length, slot := int64(c.rule.Window), c.rule.slot()
	at := max(now, c.until)
	for c.granted.countAt(at, length)+c.othersAt(at) >= c.rule.Count {
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
