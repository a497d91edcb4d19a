package limit

import "time"

// What a process serves to a player, in commands, before it has asked Redis what
// the player has cost elsewhere: more than people spend in one process on most days.
const (
	// aside is how much that is with what is held for requests under way: room for a
	// week's board. It bounds what is under way untold later, too.
	aside = 40
	// asideSpent is how much it is without: a first erasure and two repeated ones.
	asideSpent = 26
)

// askCosts is what telling Redis costs at most. It is told with what it tells of.
const askCosts = 3

// spender is what one player costs, as far as this process knows. What Redis is
// told of it is drawn by lot: each command with a chance of 1 in n, and then as n
// commands. So the expected count is what was spent, whoever served it, whenever
// they stopped, and whatever the player knows of the draws before. Times are Unix
// nanoseconds.
type spender struct {
	caller
	held  int   // for requests under way that Redis was not told of
	asked int64 // when it last said what the player has cost; 0: never
}

// knows reports whether the process has learned what the player has cost.
func (s *spender) knows(now int64) bool {
	return s.asked > 0 && s.asked > now-int64(s.rule.Window)
}

// decide says what to do with a request that can cost n: ask is to tell Redis of
// it before, for all that it can cost.
func (s *spender) decide(now int64, n int) verdict {
	s.granted.drop(now, int64(s.rule.Window))
	switch {
	case s.remaining(now) < n:
		return refuse
	case s.held+n > aside:
		return ask
	case s.knows(now):
		return grant
	case s.granted.count()+n > aside, s.granted.count()-s.held >= asideSpent:
		return ask
	}
	return grant
}

// oneIn is the n of the lot: for those who are watched a question for every few
// commands; where it is known that there is more room, for as many as that has room
// for in fifty processes; for most players one in many days.
func (s *spender) oneIn(watched bool, now int64) int {
	few := max(1, s.rule.Count/200)
	switch {
	case watched:
		return few
	case s.knows(now):
		return max(few, s.remaining(now)/50)
	}
	return s.rule.oneInMany()
}

func (r Rule) oneInMany() int { return max(1, r.Count/10) }

// watchedFrom is how many told commands make a player watched everywhere: mostly
// the second draw within a day.
func (r Rule) watchedFrom() int { return 2 * r.oneInMany() }

// smallest is the least room that is worth asking for.
func (r Rule) smallest() int { return r.Count / 50 }

// question tells Redis of n, which may be below 0, in the slot of a time.
func (s *spender) question(at int64, n int) Ask {
	if s.elsewhere == nil {
		s.elsewhere = &shared{slot: -1}
	}
	a := Ask{Rule: s.rule, Caller: s.id, Now: at, Slot: at / s.rule.slot(), Tell: n}
	if a.Slot >= s.elsewhere.slot {
		s.elsewhere.enter(a.Slot)
		a.Create = !s.elsewhere.exists
	}
	return a
}

// notice is what other processes should know of the player by now: until when to
// watch, zero for not at all, and until when to refuse. Both end with slots, so
// that all processes find the same.
func (s *spender) notice(now int64) (watch, refuse time.Time) {
	slot := s.rule.slot()
	if s.elsewhere == nil {
		return watch, refuse
	}
	over := s.remaining(now) < s.rule.smallest()
	if s.elsewhere.toldAt(now/slot) < s.rule.watchedFrom() && !over {
		return watch, refuse
	}
	watch = time.Unix(0, (now/slot+1)*slot+int64(s.rule.Window))
	if over {
		refuse = time.Unix(0, (s.opens(now, s.rule.smallest())+slot-1)/slot*slot)
	}
	return watch, refuse
}
