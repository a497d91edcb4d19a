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

// bansFresh is how old a process lets the list of bans become. For that long it may still take
// scores of a player whom another process has banned.
const bansFresh = 15 * time.Minute

// bans remembers all banned players, with some 50 bytes each.
type bans struct {
	reading sync.Mutex // held while Redis is asked or told

	mu      sync.RWMutex
	members map[string]struct{} // nil: never read
	halted  error               // why nothing may be written, nil: it may; see [Set.halt]
	at      time.Duration

	stopped error // why nothing may be written, whatever Redis says; nil: Redis says
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

// stale makes the next use read the list again.
func (b *bans) stale() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at -= bansFresh
}

// change adds a player to the list or removes one, in memory and in Redis.
func (b *bans) change(ctx context.Context, redis *upstash.Client, how, player string) error {
	b.reading.Lock()
	defer b.reading.Unlock()
	member := game.BanMember(player)
	if _, err := redis.Do(ctx, upstash.Cmd(how, game.BansKey, member).Idempotent()); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.members == nil:
	case how == "SADD":
		b.members[member] = struct{}{}
	default:
		delete(b.members, member)
	}
	return nil
}

// halt is why this process may not write, as far as it knows; nil: it may. A maintenance whose
// end has passed is over.
func (b *bans) halt(now time.Time) error {
	if b.stopped != nil {
		return b.stopped
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	if m, ok := b.halted.(*MaintenanceError); ok {
		left := m.Until.Sub(now)
		if left <= 0 {
			return nil
		}
		return &MaintenanceError{m.Maintenance, left}
	}
	return b.halted
}

// replaceMaintenance replaces the maintenances in Redis by one, or by none if text is "". The
// next use reads the list again.
func (b *bans) replaceMaintenance(ctx context.Context, redis *upstash.Client, stand []string, text string) error {
	if err := replace(ctx, redis, game.MaintenanceMember, stand, text); err != nil {
		return err
	}
	b.stale()
	return nil
}

// MayWrite makes sure that this process has read the list of bans, and with it the epoch, the
// rules and the maintenance. While Redis does not answer, it uses the list that was read last.
// It returns nil if the process may write now; otherwise a *MaintenanceError, or a
// *ruleset.ChangedError if the boards are kept by other rules. A process notices a maintenance
// after [NoticedWithin] at the latest, and its end after a minute.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (ns *Notices) MayWrite(ctx context.Context) error {
	known, err := ns.readStaleBans(ctx)
	if err != nil && !known {
		return rdb.Wrap("read who is banned", err)
	}
	if err := ns.bans.halt(ns.db.Now()); err != nil {
		return err
	}
	_ = ns.Keys.Repay(ctx) // mostly there is nothing to do; if it fails, the next write tries again
	return nil
}

// readStaleBans reads the list if it is old. If the process has a list and another call is
// reading a new one, it returns at once.
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
	// This command bypasses the gate, because the gate needs the notices to decide.
	reply, err := ns.db.Redis.Do(upstash.WithGate(ctx, nil), upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return known, err
	}
	read, err := reply.Strings()
	if err != nil {
		return known, err
	}
	found := Among(read)
	ns.epoch.foundRules(len(found.rules) > 0, ns.rules().Stored())
	if ns.epoch.read(found.epochs, round, upTo, ns.db.Elapsed()) {
		ns.Keys.end(round)
		round, upTo = ns.epoch.mark()
		ns.epoch.read(found.epochs, round, upTo, ns.db.Elapsed())
	}
	halted := found.halt(ns.rules(), ns.db.Game.Today(ns.db.Now()))
	ns.Spenders.read(found.spenders)
	ns.Deaf.read(found.deaf)
	if ns.epoch.now() == round {
		ns.Begun.take(found.days, found.large)
	}
	ns.bans.mu.Lock()
	defer ns.bans.mu.Unlock()
	ns.bans.members, ns.bans.halted, ns.bans.at = found.Banned, halted, ns.db.Elapsed()
	return true, nil
}

// Ban keeps a player from submitting: in this process at once, in others after 15 minutes at
// the latest. It removes no scores; RemoveRecent does.
//
// Cost: 1 billed command.
func (ns *Notices) Ban(ctx context.Context, player string) error {
	return rdb.Wrap("ban "+player, ns.bans.change(ctx, ns.db.Redis, "SADD", player))
}

// Unban lets a player submit again; processes notice it as soon as a ban. It restores nothing.
//
// Cost: 1 billed command.
func (ns *Notices) Unban(ctx context.Context, player string) error {
	return rdb.Wrap("lift the ban of "+player, ns.bans.change(ctx, ns.db.Redis, "SREM", player))
}

// Ping returns an error if Redis does not answer. Until it has succeeded once, it also sends a
// write, since a read-only token may ping.
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

// Size counts the keys of Redis.
//
// Cost: 1 billed command.
func Size(ctx context.Context, ns *Notices) (keys int64, err error) {
	reply, err := ns.db.Redis.Do(ctx, upstash.Cmd("DBSIZE"))
	if err == nil {
		keys, err = reply.Int64()
	}
	return keys, rdb.Wrap("count the keys of Redis", err)
}

// IsBanned reports whether a player is banned, as far as this process knows.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (ns *Notices) IsBanned(ctx context.Context, player string) (bool, error) {
	if err := ns.MayWrite(ctx); err != nil {
		return false, err
	}
	return ns.bans.has(player), nil
}

// MayPlay returns ErrBanned for players who are banned. Besides scores, a ban refuses duels,
// requests to other players, and changes of how the player is shown. A banned player may still
// read, leave, decline, block, and erase themselves.
//
// Cost: that of IsBanned.
func (ns *Notices) MayPlay(ctx context.Context, players ...string) error {
	for _, player := range players {
		if banned, err := ns.IsBanned(ctx, player); err != nil {
			return err
		} else if banned {
			return ErrBanned
		}
	}
	return nil
}

// Has reports whether a player is banned, as far as this process knows. The caller has called
// [Notices.MayWrite] before.
func (ns *Notices) Has(player string) bool { return ns.bans.has(player) }

// Stale makes the next use read the notices again.
func (ns *Notices) Stale() { ns.bans.stale() }

// CountBans counts the banned players. Redis has only their digests.
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
