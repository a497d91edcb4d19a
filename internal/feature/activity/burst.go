package activity

import (
	"slices"
)

// bursts knows which messages are within a burst of their sender.
type bursts struct {
	rule  Burst
	times map[string][]int64 // of a sender's messages, ascending
}

// burstsOf collects the messages of a day, and those at the end of the day before.
func burstsOf(rules *Rules, acts ...[]Act) bursts {
	b := bursts{rules.Burst, map[string][]int64{}}
	if b.rule == (Burst{}) {
		return b
	}
	for _, some := range acts {
		for _, a := range some {
			if rule, ok := rules.Event(a.Type); ok && rule.Message {
				b.times[a.Who[0]] = append(b.times[a.Who[0]], a.At)
			}
		}
	}
	for _, times := range b.times {
		slices.Sort(times)
	}
	return b
}

// has reports whether the sender has more messages than the rule allows in the interval that
// ends with this one; its beginning is excluded, its end included.
func (b bursts) has(a Act) bool {
	times := b.times[a.Who[0]]
	if len(times) <= b.rule.Most {
		return false
	}
	begin, _ := slices.BinarySearch(times, a.At-b.rule.Within.Milliseconds()+1)
	end, _ := slices.BinarySearch(times, a.At+1)
	return end-begin > b.rule.Most
}
