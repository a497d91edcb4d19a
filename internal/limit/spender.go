package limit

import "time"

// What a process serves to a player, in commands, before it has asked Redis what
// the player has cost elsewhere: more than people spend in one process on most days.
const (
	// aside is how much that is, with what is held for requests under way: room for a week's
	// board. Later it also bounds what is under way without Redis being told.
	aside = 40
	// asideSpent is how much that is without it: a first erasure and two repeated ones.
	asideSpent = 26
)

// askCosts is what telling Redis costs at most. It is told along with the rest.
const askCosts = 3

// spender is what one player costs, as far as this process knows. Redis is told of it by lot:
// each command is drawn with a chance of 1 in n, and then told as n commands. So on average
// Redis counts what was spent, whichever processes served it, whenever they stopped, and
// whatever the player knows of earlier draws. Times are Unix nanoseconds.
type spender struct {
	caller
	held  int   // held for requests under way that Redis was not told of
	asked int64 // when Redis last said what the player has cost; 0: never
}

// knows reports whether the process has learned what the player has cost.
func (s *spender) knows(now int64) bool {
	return s.asked > 0 && s.asked > now-int64(s.rule.Window)
}

// decide says what to do with a request that can cost n. Ask means that Redis is told of it
// before it runs, as the most that it can cost.
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

// oneIn is the n of the lot. Of players who are watched, Redis is told once in a few commands;
// where the process knows how much room is left, once in as many as fifty processes have room
// for; of most players once in many days.
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

// question tells Redis of n commands, which may be below 0, in the slot of a time.
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

// notice is what other processes should know of the player by now: until when to watch, and
// until when to refuse; zero: not. Both end with slots, so that all processes find the same.
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
