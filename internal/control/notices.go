// Package control has what every process of a game must know: who is banned, by which rules the
// boards are kept, whether writes must wait, and which Redis this is. A process that finds out
// that Redis was lost forgets what it remembers.
package control

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Notices are what every process of a game must know: who is banned, by which rules the boards
// are kept, whether writes must wait, and which Redis this is. All of it is in one set, the set
// of bans, which a process reads at its start, and every 15 minutes if it writes. It is safe for
// concurrent use.
type Notices struct {
	Removed RemovalHooks

	db    *redis.DB
	rules func() ruleset.Rules // computes them at its first call, not while a process starts

	writes     atomic.Bool // Redis has taken a write of this process
	remembered remembered
	forgets    []func() // see OnLoss
}

// New makes Notices. If maintenance is not empty, nothing may be written for that reason,
// whatever Redis says.
func New(db *redis.DB, maintenance string) *Notices {
	ns := &Notices{db: db, rules: sync.OnceValue(func() ruleset.Rules { return ruleset.Of(db.Game) })}
	if maintenance != "" {
		ns.remembered.stopped = &MaintenanceError{Maintenance: Maintenance{Reason: maintenance}}
	}
	ns.OnLoss(db.Expiring.Purge)
	return ns
}

// A process remembers what it has read and written, such as the names that Redis has. That is
// true of one Redis only. An epoch names that Redis: the first process that writes to an empty
// Redis begins one, and so does a restore. A process whose epoch is no longer in the set of bans
// forgets everything.

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

// beginEpoch names an empty Redis, and stores the rules by which its boards are kept, if it has
// none.
//
// Cost: 1 billed command.
func (ns *Notices) beginEpoch(ctx context.Context, rules []string) (id string, err error) {
	id = rand.Text()
	begin := []string{"SADD", game.BansKey, game.EpochMember(id)}
	if len(rules) == 0 {
		begin = append(begin, game.RulesMember(ns.rules().Stored()))
	}
	_, err = ns.db.Redis.Do(upstash.WithGate(ctx, nil), upstash.Cmd(begin...).Idempotent())
	return id, err
}

// BeginEpoch begins a new epoch, after Redis was made again, so that every process forgets what
// it remembers.
//
// Cost: 3 billed commands in 2 round trips.
func (ns *Notices) BeginEpoch(ctx context.Context) error {
	n, err := readNotices(ctx, ns.db.Redis)
	if err != nil {
		return redis.Wrap("begin an epoch", err)
	}
	var p redis.Pipeline
	if len(n.epochs) > 0 {
		command := []string{"SREM", game.BansKey}
		for _, id := range n.epochs {
			command = append(command, game.EpochMember(id))
		}
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
	}
	p.Add(upstash.Cmd("SADD", game.BansKey, game.EpochMember(rand.Text())).Idempotent(), nil)
	_, err = p.Run(ctx, ns.db.Redis)
	ns.remembered.stale()
	ns.Forget()
	return redis.Wrap("begin an epoch", err)
}

// RemovalHooks is of whom this process has taken something out: what it remembers may still show it.
type RemovalHooks struct{ forgets []func(player string) }

// On makes Note call forget. It is called while the parts of a process are made, before any is
// used.
func (r *RemovalHooks) On(forget func(player string)) { r.forgets = append(r.forgets, forget) }

// Note is called after this process has banned or erased a player, or taken a score of the
// player out.
func (r *RemovalHooks) Note(player string) {
	for _, forget := range r.forgets {
		forget(player)
	}
}

// Halt is why writes have to wait, as Redis has it now and not as a process remembers it.
type Halt struct {
	Maintenance *Maintenance // nil: none is on
	Rules       error        // why these rules may not write, a *ruleset.ChangedError; nil: they may
}

// ReadHalt reads why a game's writes have to wait. It reads both causes, since a process whose
// rules are refused may not write after a maintenance either.
//
// Cost: 1 billed command.
func ReadHalt(ctx context.Context, client *upstash.Client, g *game.Game, now time.Time) (h Halt, err error) {
	n, err := readNotices(ctx, client)
	if err != nil {
		return h, redis.Wrap("read what keeps writes waiting", err)
	}
	if m, on := n.asksToWait(); on && now.Before(m.Until) {
		h.Maintenance = &m
	}
	rules, err := n.keptRules()
	h.Rules = errors.Join(err, ruleset.Check(rules, ruleset.Of(g), g.Today(now)))
	return h, nil
}
