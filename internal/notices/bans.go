package notices

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// ErrBanned is returned for a submission of a player who may not play.
var ErrBanned = errors.New("the player is banned")

// bansFresh is how old a process lets the list of bans become: as long as this
// a player who was banned elsewhere may still play here.
const bansFresh = 15 * time.Minute

// bans remembers who may not play. The whole list is held, 50 bytes for each.
type bans struct {
	reading sync.Mutex // held while Redis is asked or told

	mu      sync.RWMutex
	members map[string]struct{} // nil: never read
	halted  error               // why nothing may be written, nil: it may; see [Notices.halt]
	at      time.Duration
}

// state reports whether the list has been read, and whether it is young enough.
func (b *bans) state(now time.Duration) (known, fresh bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	keep := bansFresh
	if b.halted != nil {
		keep = haltFresh
	}
	return b.members != nil, b.members != nil && now-b.at < keep
}

// has reports whether the player is on the list as this process knows it.
func (b *bans) has(player string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if len(b.members) == 0 {
		return false
	}
	_, banned := b.members[game.BanMember(player)]
	return banned
}

// stale has the list read anew before it is used again.
func (b *bans) stale() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at -= bansFresh
}

// Know sees to it that the list of bans has been read, and the epoch, the
// rules and the maintenance beside it. While Redis does not answer, the list that
// was read last goes on to count. The error is also what keeps everybody from
// writing: *ruleset.ChangedError, *MaintenanceError.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (ns *Notices) Know(ctx context.Context) error {
	known, err := ns.readStaleBans(ctx)
	if err != nil && !known {
		return rdb.Wrap("read who is banned", err)
	}
	if err := ns.halted(); err != nil {
		return err
	}
	_ = ns.Keys.Repay(ctx) // mostly nothing; else it is tried again with the next write
	return nil
}

// readStaleBans reads the list where it is old, unless another call is at it and
// a list is known.
func (ns *Notices) readStaleBans(ctx context.Context) (known bool, err error) {
	known, fresh := ns.bans.state(ns.db.Elapsed())
	if fresh {
		return known, nil
	}
	if !known {
		ns.bans.reading.Lock()
	} else if !ns.bans.reading.TryLock() {
		return known, nil
	}
	defer ns.bans.reading.Unlock()
	if _, fresh := ns.bans.state(ns.db.Elapsed()); fresh {
		return known, nil
	}
	round, upTo := ns.epoch.mark()
	// Who may spend anything is among what is read: nobody is asked before.
	reply, err := ns.db.Redis.Do(upstash.WithGate(ctx, nil), upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return known, err
	}
	read, err := reply.Strings()
	if err != nil {
		return known, err
	}
	found := Among(read)
	ns.epoch.foundRules(len(found.rules) > 0, ns.rules.Stored())
	if ns.epoch.read(found.epochs, round, upTo, ns.db.Elapsed()) {
		ns.end(round)
		round, upTo = ns.epoch.mark()
		ns.epoch.read(found.epochs, round, upTo, ns.db.Elapsed())
	}
	halted := ns.halt(found)
	ns.Spenders.read(found.spenders)
	ns.bans.mu.Lock()
	defer ns.bans.mu.Unlock()
	ns.bans.members, ns.bans.halted, ns.bans.at = found.Banned, halted, ns.db.Elapsed()
	return true, nil
}

// Ban keeps a player from submitting: here at once, in other processes after
// 15 minutes at the latest. What the player has is left to RemoveRecent.
//
// Cost: 1 billed command.
func (ns *Notices) Ban(ctx context.Context, player string) error {
	return rdb.Wrap("ban "+player, ns.changeBans(ctx, "SADD", player))
}

// Unban lets a player submit again, as soon as with Ban. It restores nothing.
//
// Cost: 1 billed command.
func (ns *Notices) Unban(ctx context.Context, player string) error {
	return rdb.Wrap("lift the ban of "+player, ns.changeBans(ctx, "SREM", player))
}

func (ns *Notices) changeBans(ctx context.Context, how, player string) error {
	ns.bans.reading.Lock()
	defer ns.bans.reading.Unlock()
	member := game.BanMember(player)
	if _, err := ns.db.Redis.Do(ctx, upstash.Cmd(how, game.BansKey, member).Idempotent()); err != nil {
		return err
	}
	ns.bans.mu.Lock()
	defer ns.bans.mu.Unlock()
	switch {
	case ns.bans.members == nil:
	case how == "SADD":
		ns.bans.members[member] = struct{}{}
	default:
		delete(ns.bans.members, member)
	}
	return nil
}

// Ping reports whether Redis answers and, until it has done so once, whether it
// takes writes: a read-only token may ping.
//
// Cost: 1 billed command for a process, then none. 1 round trip.
func (ns *Notices) Ping(ctx context.Context) error {
	commands := []upstash.Command{upstash.Cmd("PING")}
	if !ns.writes.Load() {
		commands = append(commands, upstash.Cmd("SREM", game.BansKey, "").Idempotent()) // nothing has an empty name
	}
	replies, err := ns.db.Redis.Pipeline(ctx, commands...)
	if err == nil {
		err = replies.Err()
	}
	if err == nil {
		ns.writes.Store(true)
	}
	return rdb.Wrap("ping Redis", err)
}

// IsBanned reports whether a player may not play, as this process knows it.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (ns *Notices) IsBanned(ctx context.Context, player string) (bool, error) {
	if err := ns.Know(ctx); err != nil {
		return false, err
	}
	return ns.bans.has(player), nil
}

// Has reports whether a player may not play, as this process knows it: knowBans
// comes before.
func (ns *Notices) Has(player string) bool { return ns.bans.has(player) }

// Stale has the notices read anew before they are used again.
func (ns *Notices) Stale() { ns.bans.stale() }

// CountBans counts who may not play; Redis knows them by digests alone.
//
// Cost: 1 billed command.
func (ns *Notices) CountBans(ctx context.Context) (int, error) {
	reply, err := ns.db.Redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return 0, rdb.Wrap("count bans", err)
	}
	read, err := reply.Strings()
	return len(Among(read).Banned), err
}
