package limit

import "time"

// How many commands a process serves to a player before it asks Redis what the player has cost
// in other processes: more than most players spend in one process on most days.
const (
	// aside includes commands that are reserved for requests in progress: room for a week's
	// board. Afterwards it bounds what is reserved for requests of which Redis was not told.
	aside = 40
	// asideSpent does not include them: a first erasure and two repeated ones.
	asideSpent = 26
)

// askCosts is how many commands it costs at most to tell Redis. They are told with the rest.
const askCosts = 3

// spender is what one player costs, as far as this process knows. The process tells Redis by
// lot: it draws each command with a chance of 1 in n, and tells a drawn one as n commands. So
// on average Redis counts what was spent, whichever processes served the player, whenever these
// stopped, and whatever the player knows of earlier draws. Times are Unix nanoseconds.
type spender struct {
	caller
	held  int   // reserved for requests in progress of which Redis was not told
	asked int64 // when Redis last said what the player has cost; 0: never
}

// knows reports whether Redis has told the process, within the window, what the player has cost.
func (s *spender) knows(now int64) bool {
	return s.asked > 0 && s.asked > now-int64(s.rule.Window)
}

// decide says what to do with a request that can cost n. With ask, the process tells Redis the
// most that the request can cost before it runs.
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

// oneIn is the n of the lot. For watched players n is small. If the process knows how much the
// player has left, n is a fiftieth of that, so that fifty processes together stay within it.
// For other players n is so large that most are drawn once in many days.
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

// watchedFrom is how many told commands make a player watched: mostly those of two draws within
// a day.
func (r Rule) watchedFrom() int { return 2 * r.oneInMany() }

// smallest is how much a player must have left, else all processes refuse the player.
func (r Rule) smallest() int { return r.Count / 50 }

// question tells Redis n commands, in the slot of a time. n may be below 0.
func (s *spender) question(at int64, n int) Ask {
	if s.elsewhere == nil {
		s.elsewhere = &shared{slot: -1}
	}
	a := Ask{Rule: s.rule, Caller: s.id, Now: at, Slot: at / s.rule.slot(), Add: n}
	if a.Slot >= s.elsewhere.slot {
		s.elsewhere.enter(a.Slot)
		a.Create = !s.elsewhere.exists
	}
	return a
}

// notice is what other processes should know of the player by now: until when to watch, and
// until when to refuse; zero: not. Both end with slots, so that all processes compute the same
// times.
func (s *spender) notice(now int64) (watch, refuse time.Time) {
	slot := s.rule.slot()
	if s.elsewhere == nil {
		return watch, refuse
	}
	over := s.remaining(now) < s.rule.smallest()
	if s.elsewhere.reportedAt(now/slot) < s.rule.watchedFrom() && !over {
		return watch, refuse
	}
	watch = time.Unix(0, (now/slot+1)*slot+int64(s.rule.Window))
	if over {
		refuse = time.Unix(0, (s.opens(now, s.rule.smallest())+slot-1)/slot*slot)
	}
	return watch, refuse
}
