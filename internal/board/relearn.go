package board

import (
	"context"
)

// A process takes for granted what it has once seen to: that a key has its
// expiry, that a day is on the index, that a name is in Redis. A Redis that
// was lost and made again knows none of it, and processes live on. They notice
// by the epoch, by an index that lacks a day they have written to, and by a
// board that has shrunk: whoever counts one and finds fewer players than it had,
// with those just added, forgets everything and sees to it anew.

// shrunk reports whether a board that was counted after a write has lost players
// since it was last counted.
func shrunk(before int64, counted bool, added, now int64) bool { return counted && now < before+added }

// Forget empties the memory of the process. It costs commands and never an
// answer.
func (s *Store) Forget() {
	s.expiring.Purge()
	s.derived.Purge()
	s.standing.Purge()
	s.grouped.Purge()
	s.erased.Purge()
	s.directory.purge()
	s.totals.purge()
	s.windows.purge()
}

// end forgets everything that held in a round, unless that has happened.
func (s *Store) end(round uint64) {
	if s.epoch.end(round) {
		s.bans.stale()
		s.Forget()
	}
}

// relearn ends a round, and sees once more to what writes in it took for
// granted: its keys, and what credentials say of players.
//
// Cost: 3 billed commands, and for each key 1, and 2 if it is in Redis; as much
// as a write for profiles.
func (s *Store) relearn(ctx context.Context, round uint64, keys []dayKey, profiles []profileWrite) error {
	s.epoch.owe(keys)
	s.end(round)
	again := make([]profileWrite, len(profiles))
	for i, w := range profiles {
		again[i] = profileWrite{player: w.player, new: w.new, at: w.at, late: w.late}
	}
	var p pipeline
	s.keepProfiles(&p, again)
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("see to names that were lost", err)
	}
	if err := s.tellProfiles(ctx, again); err != nil {
		return err
	}
	if _, err := s.readStaleBans(ctx); err != nil {
		return wrap("read who is banned", err)
	}
	return s.repay(ctx)
}

// repay sees to the keys that were written to about the time an epoch ended. One
// that is not there any more is not put on the index: a day without scores
// would be closed as one that nobody has played.
func (s *Store) repay(ctx context.Context) error {
	keys, round := s.epoch.debts()
	if len(keys) == 0 {
		return nil
	}
	there, err := s.there(ctx, keys)
	if err != nil {
		return err
	}
	c := &carried{store: s, round: round, begun: true}
	var p pipeline
	for _, key := range there {
		s.expiring.Remove(key.key())
		c.see(&p, key)
	}
	if s.epoch.due(false, s.elapsed()) {
		c.proof = s.epoch.ask(&p, s.elapsed())
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("see to boards that were lost", err)
	}
	if c.done() {
		s.epoch.paid(keys, round)
	}
	return nil
}

// written lists boards that this process has written to, before an index is read.
func (s *Store) written(of func(dayKey) bool) (round uint64, keys []dayKey) {
	return s.epoch.now(), s.epoch.unproved(of)
}

// relearns finds out whether an index that was just read lacks a board that this
// process has written to: then Redis was lost, and all is seen to anew. The
// boards must have been listed before the index was asked for.
func (s *Store) relearns(ctx context.Context, round uint64, written []dayKey, has func(dayKey) bool) (bool, error) {
	for _, key := range written {
		if !has(key) && s.alive(key.date) {
			return true, s.relearn(ctx, round, nil, nil)
		}
	}
	return false, nil
}
