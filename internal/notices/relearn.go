package notices

import (
	"context"
	"crypto/rand"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// A process relies on what it has done once: that a key has its expiry, that a day is on the
// index, that a name is in Redis. If Redis is lost and made again, none of this is true any
// more, while processes live on. They notice the loss by the epoch; by an index that lacks a
// day that they have written to; and by a board that has shrunk. A process that counts fewer
// players on a board than it knew, those just added included, forgets everything and does the
// housekeeping again.

// OnLoss makes Forget call forget, whenever this process finds out that Redis was lost. It is
// called while the parts of a process are made, before any is used.
func (ns *Notices) OnLoss(forget func()) { ns.forgets = append(ns.forgets, forget) }

// Forget empties the memory of the process. That costs commands later, but makes no answer
// wrong.
func (ns *Notices) Forget() {
	for _, forget := range ns.forgets {
		forget()
	}
}

// Removed is of whom this process has taken something out: what it remembers may still show it.
type Removed struct{ forgets []func(player string) }

// On makes Note call forget. It is called while the parts of a process are made, before any is
// used.
func (r *Removed) On(forget func(player string)) { r.forgets = append(r.forgets, forget) }

// Note is called after this process has banned or erased a player, or taken a score of the
// player out.
func (r *Removed) Note(player string) {
	for _, forget := range r.forgets {
		forget(player)
	}
}

// end ends a round, unless it has ended already, and forgets what was true in it.
func (k *Keys) end(round uint64) {
	if k.epoch.end(round) {
		k.notices.remembered.stale()
		k.notices.Forget()
	}
}

// Relearn ends a round, and sets expiry and index again for the keys that writes in that round
// have relied on.
//
// Cost: 3 billed commands, and for each key 1, and 2 if it is in Redis.
func (k *Keys) Relearn(ctx context.Context, round uint64, keys []DayKey) error {
	k.epoch.owe(keys)
	k.end(round)
	if _, err := k.notices.readStale(ctx); err != nil {
		return rdb.Wrap("read who is banned", err)
	}
	return k.Repay(ctx)
}

// Owe makes the next Repay set expiry and index of keys that may not have them.
func (k *Keys) Owe(keys []DayKey) { k.epoch.owe(keys) }

// Repay sets expiry and index of the keys that were written to about the time at which an epoch
// ended. It does not put a key on the index that Redis has lost: the day would be closed as one
// on which nobody has played.
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

// Written lists boards that this process has written to. It is called before an index is read.
func (k *Keys) Written(of func(DayKey) bool) (round uint64, keys []DayKey) {
	return k.epoch.now(), k.epoch.unproved(of)
}

// Relearns reports whether an index that was just read lacks a board that this process has
// written to. If it does, Redis was lost, and Relearns calls Relearn. The caller has listed the
// boards before it asked for the index.
func (k *Keys) Relearns(ctx context.Context, round uint64, written []DayKey, has func(DayKey) bool) (bool, error) {
	for _, key := range written {
		if !has(key) && k.db.Alive(key.Date) {
			return true, k.Relearn(ctx, round, nil)
		}
	}
	return false, nil
}

// Prove asks whether Redis still has the epoch, if this process has written to groups' boards
// since it last asked. If the epoch has ended, Prove calls Relearn.
//
// Cost: nothing, or 1 billed command; if the epoch has ended, that of Relearn more.
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

// ProveLater schedules a call of Prove if a proof is due, since no further write may follow
// that would bring it.
func (k *Keys) ProveLater(ctx context.Context) {
	if k.notices.later == nil || !k.epoch.wait() {
		return
	}
	ctx = context.WithoutCancel(ctx)
	k.notices.later(proofAge, func() {
		ctx, cancel := context.WithTimeout(ctx, proofAge)
		defer cancel()
		_ = k.Prove(ctx) // if it fails, the next write asks
	})
}

// BeginEpoch begins a new epoch, after Redis was made again, so that every process forgets what
// it remembers.
//
// Cost: 3 billed commands in 2 round trips.
func (ns *Notices) BeginEpoch(ctx context.Context) error {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return rdb.Wrap("begin an epoch", err)
	}
	var p rdb.Pipeline
	if len(n.epochs) > 0 {
		command := []string{"SREM", game.BansKey}
		for _, id := range n.epochs {
			command = append(command, game.EpochMember(id))
		}
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
	p.Add(upstash.Cmd("SADD", game.BansKey, game.EpochMember(rand.Text())).Idempotent(), nil)
	_, err = p.Run(ctx, ns.db.Redis)
	ns.Keys.end(ns.epoch.now())
	return rdb.Wrap("begin an epoch", err)
}
