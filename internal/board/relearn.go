package board

import "context"

// A process takes for granted what it has once seen to: that a key has its
// expiry, that a day is on the index, that a name is in Redis. A Redis that
// was lost and made again knows none of it, and processes live on. They notice
// by a board that has shrunk: whoever counts one and finds fewer players than
// it had, with those just added, forgets everything and sees to it anew.

// shrunk tells whether a board that was counted after a write has lost players
// since it was last counted.
func shrunk(before int64, counted bool, added, now int64) bool { return counted && now < before+added }

// Forget empties the memory of the process. It costs commands and never an
// answer.
func (s *Store) Forget() {
	s.expiring.Purge()
	s.derived.Purge()
	s.standing.Purge()
	s.directory.purge()
	s.totals.purge()
	s.windows.purge()
}

// relearn sees once more to what the write took for granted.
func (w *write) relearn(ctx context.Context) error {
	w.Forget()
	var p pipeline
	w.calls = p
	fresh := w.carry()
	if _, err := w.calls.run(ctx, w.redis); err != nil {
		return wrap("see to a board that was lost", err)
	}
	fresh.done()
	return w.tellProfiles(ctx, fresh.profiles)
}

// relearn is the same for the writes of a batch.
func (g *group) relearn(ctx context.Context) error {
	g.Forget()
	var p pipeline
	g.queueCarried(&p)
	if _, err := p.run(ctx, g.redis); err != nil {
		return wrap("see to a board that was lost", err)
	}
	g.carried.done()
	return g.tellProfiles(ctx, g.carried.profiles)
}
