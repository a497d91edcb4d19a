package board

import (
	"context"
	"crypto/rand"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// A process takes for granted what it has once seen to: that a key has its
// expiry, that a day is on the index, that a name is in Redis. A Redis that
// was lost and made again knows none of it, and processes live on. They notice
// by the epoch, by an index that lacks a day they have written to, and by a
// board that has shrunk: whoever counts one and finds fewer players than it had,
// with those just added, forgets everything and sees to it anew.

// OnLoss has a memory emptied whenever this process finds Redis to be another
// one. It is for who makes the parts of a process, before any is used.
func (s *Store) OnLoss(forget func()) { s.forgets = append(s.forgets, forget) }

// Forget empties the memory of the process. It costs commands and never an
// answer.
func (s *Store) Forget() {
	for _, forget := range s.forgets {
		forget()
	}
}

// end forgets everything that held in a round, unless that has happened.
func (s *Store) end(round uint64) {
	if s.epoch.end(round) {
		s.bans.stale()
		s.Forget()
	}
}

// relearn ends a round, and sees once more to the keys that writes in it took for
// granted.
//
// Cost: 3 billed commands, and for each key 1, and 2 if it is in Redis.
func (s *Store) relearn(ctx context.Context, round uint64, keys []dayKey) error {
	s.epoch.owe(keys)
	s.end(round)
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
	c := s.touch()
	c.begun, c.round = true, round
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
			return true, s.relearn(ctx, round, nil)
		}
	}
	return false, nil
}

// Prove asks whether the epoch still stands, if this process has written to
// groups' boards since it last did, and sees to them if not.
//
// Cost: nothing, or 1 billed command; 2 more for each key, and 2, where the epoch
// has ended.
func (s *Store) Prove(ctx context.Context) error {
	s.epoch.waited()
	if len(s.epoch.unproved(dayKey.grouped)) == 0 {
		return s.repay(ctx)
	}
	var p pipeline
	asked := s.epoch.ask(&p, s.elapsed())
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("ask for the epoch", err)
	}
	if s.epoch.note(nil, asked.round, asked) {
		return nil
	}
	return s.relearn(ctx, asked.round, nil)
}

// proveLater has what is still to be proved seen to, though no write may follow.
func (s *Store) proveLater(ctx context.Context) {
	if s.later == nil || !s.epoch.wait() {
		return
	}
	ctx = context.WithoutCancel(ctx)
	s.later(proofAge, func() {
		ctx, cancel := context.WithTimeout(ctx, proofAge)
		defer cancel()
		_ = s.Prove(ctx) // else the next write does
	})
}

// BeginEpoch has every process forget what it remembers, after Redis was made
// again.
//
// Cost: 3 billed commands in 2 round trips.
func (s *Store) BeginEpoch(ctx context.Context) error {
	reply, err := s.redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return wrap("begin an epoch", err)
	}
	members, err := reply.Strings()
	if err != nil {
		return wrap("begin an epoch", err)
	}
	var p pipeline
	if old := noticesAmong(members).epochs; len(old) > 0 {
		command := []string{"SREM", game.BansKey}
		for _, id := range old {
			command = append(command, game.EpochMember(id))
		}
		p.add(upstash.Cmd(command...).Idempotent(), nil)
	}
	p.add(upstash.Cmd("SADD", game.BansKey, game.EpochMember(rand.Text())).Idempotent(), nil)
	_, err = p.run(ctx, s.redis)
	s.end(s.epoch.now())
	return wrap("begin an epoch", err)
}
