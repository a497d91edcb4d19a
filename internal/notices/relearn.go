package notices

import (
	"context"
	"crypto/rand"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A process takes for granted what it has once done: that a key has its expiry, that a day is
// on the index, that a name is in Redis. A Redis that was lost and made again has nothing of
// it, while processes live on. They notice by the epoch, by an index that lacks a day they
// have written to, and by a board that has shrunk: a process that counts a board and finds
// fewer players than it had, with those just added, forgets everything and does it anew.

// OnLoss has forget called whenever this process finds Redis to be another one. It is called
// while the parts of a process are made, before any is used.
func (ns *Notices) OnLoss(forget func()) { ns.forgets = append(ns.forgets, forget) }

// Forget empties the memory of the process. It costs commands and never an
// answer.
func (ns *Notices) Forget() {
	for _, forget := range ns.forgets {
		forget()
	}
}

// end ends a round, with everything that held in it, unless that has happened.
func (k *Keys) end(round uint64) {
	if k.epoch.end(round) {
		k.notices.bans.stale()
		k.notices.Forget()
	}
}

// Relearn ends a round, and sets expiry and index once more for the keys that writes in it
// have taken for granted.
//
// Cost: 3 billed commands, and for each key 1, and 2 if it is in Redis.
func (k *Keys) Relearn(ctx context.Context, round uint64, keys []DayKey) error {
	k.epoch.owe(keys)
	k.end(round)
	if _, err := k.notices.readStaleBans(ctx); err != nil {
		return rdb.Wrap("read who is banned", err)
	}
	return k.Repay(ctx)
}

// Owe has the next Repay set expiry and index of keys that may not have them.
func (k *Keys) Owe(keys []DayKey) { k.epoch.owe(keys) }

// Repay sets expiry and index of the keys that were written to about the time an epoch ended.
// A key that is not in Redis any more is not put on the index: a day without scores would be
// closed as one that nobody has played.
func (k *Keys) Repay(ctx context.Context) error {
	keys, round := k.epoch.debts()
	if len(keys) == 0 {
		return nil
	}
	there, err := k.There(ctx, keys)
	if err != nil {
		return err
	}
	c := k.Touch()
	c.begun, c.Round = true, round
	var p rdb.Pipeline
	for _, key := range there {
		k.db.Expiring.Remove(key.Key())
		c.See(&p, key)
	}
	if k.epoch.due(false, k.db.Elapsed()) {
		c.proof = k.epoch.ask(&p, k.db.Elapsed())
	}
	if _, err := p.Run(ctx, k.db.Redis); err != nil {
		return rdb.Wrap("see to boards that were lost", err)
	}
	if c.Done() {
		k.epoch.paid(keys, round)
	}
	return nil
}

// Written lists boards that this process has written to, before an index is read.
func (k *Keys) Written(of func(DayKey) bool) (round uint64, keys []DayKey) {
	return k.epoch.now(), k.epoch.unproved(of)
}

// Relearns reports whether an index that was just read lacks a board that this process has
// written to: then Redis was lost, and Relearns calls Relearn. The boards must have been
// listed before the index was asked for.
func (k *Keys) Relearns(ctx context.Context, round uint64, written []DayKey, has func(DayKey) bool) (bool, error) {
	for _, key := range written {
		if !has(key) && k.db.Alive(key.Date) {
			return true, k.Relearn(ctx, round, nil)
		}
	}
	return false, nil
}

// Prove asks whether the epoch still stands, if this process has written to groups' boards
// since it last asked. If it does not stand, Prove calls Relearn.
//
// Cost: nothing, or 1 billed command; 2 more for each key, and 2, where the epoch
// has ended.
func (k *Keys) Prove(ctx context.Context) error {
	k.epoch.waited()
	if len(k.epoch.unproved(DayKey.Grouped)) == 0 {
		return k.Repay(ctx)
	}
	var p rdb.Pipeline
	asked := k.epoch.ask(&p, k.db.Elapsed())
	if _, err := p.Run(ctx, k.db.Redis); err != nil {
		return rdb.Wrap("ask for the epoch", err)
	}
	if k.epoch.note(nil, asked.round, asked) {
		return nil
	}
	return k.Relearn(ctx, asked.round, nil)
}

// ProveLater has Prove called in a while, where a proof is wanted and no write may follow.
func (k *Keys) ProveLater(ctx context.Context) {
	if k.notices.later == nil || !k.epoch.wait() {
		return
	}
	ctx = context.WithoutCancel(ctx)
	k.notices.later(proofAge, func() {
		ctx, cancel := context.WithTimeout(ctx, proofAge)
		defer cancel()
		_ = k.Prove(ctx) // else the next write does
	})
}

// BeginEpoch has every process forget what it remembers, after Redis was made
// again.
//
// Cost: 3 billed commands in 2 round trips.
func (ns *Notices) BeginEpoch(ctx context.Context) error {
	reply, err := ns.db.Redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return rdb.Wrap("begin an epoch", err)
	}
	members, err := reply.Strings()
	if err != nil {
		return rdb.Wrap("begin an epoch", err)
	}
	var p rdb.Pipeline
	if old := Among(members).epochs; len(old) > 0 {
		command := []string{"SREM", game.BansKey}
		for _, id := range old {
			command = append(command, game.EpochMember(id))
		}
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
	p.Add(upstash.Cmd("SADD", game.BansKey, game.EpochMember(rand.Text())).Idempotent(), nil)
	_, err = p.Run(ctx, ns.db.Redis)
	ns.Keys.end(ns.epoch.now())
	return rdb.Wrap("begin an epoch", err)
}
