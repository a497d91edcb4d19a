package replay

import "sync/atomic"

// tally counts results by tries, when they are sent and when they are answered. The
// counts bound the rank that a result can have: several workers that send concurrently do
// not know in which order the product takes the results of a step.
type tally struct {
	sent, answered [Tries]atomic.Int64
	before         [Tries]int64 // answered in earlier steps; changed only between steps
}

// closeStep ends a step; everything that was sent must be answered.
func (t *tally) closeStep() {
	for i := range t.before {
		t.before[i] = t.answered[i].Load()
	}
}

// send counts a result as sent. It returns how many results are certainly ahead of it:
// better ones that are answered, and equal ones of earlier steps.
func (t *tally) send(tries int8) (ahead int64) {
	t.sent[tries].Add(1)
	for i := range tries {
		ahead += t.answered[i].Load()
	}
	return ahead + t.before[tries]
}

// answer counts a result as answered. It returns how many results may be ahead of it, and
// how many players may be on the board.
func (t *tally) answer(tries int8) (ahead, players int64) {
	for i := range t.sent {
		n := t.sent[i].Load()
		players += n
		if i <= int(tries) {
			ahead += n
		}
	}
	t.answered[tries].Add(1)
	return ahead - 1, players // not ahead of itself
}
