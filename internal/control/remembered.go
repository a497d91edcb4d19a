package control

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

const (
	// readWithin is how old the notices of a process that writes become. For that long it may
	// still take scores of a player whom another process has banned.
	readWithin = 15 * time.Minute
	// haltFresh is how long a process that may not write waits before it reads the notices again.
	haltFresh = time.Minute
)

// NoticedWithin is how long it takes at most until every process has read a new notice.
const NoticedWithin = readWithin

// MayWrite makes sure that this process has read the list of bans, and with it the epoch, the
// rules and the maintenance. While Redis does not answer, it uses the list that was read last.
// It returns nil if the process may write now; otherwise a *MaintenanceError, or a
// *ruleset.ChangedError if the boards are kept by other rules. A process notices a maintenance
// after [NoticedWithin] at the latest, and its end after a minute.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes; 1 more in an empty Redis.
func (ns *Notices) MayWrite(ctx context.Context) error {
	known, err := ns.readStale(ctx)
	if err != nil && !known {
		return redis.Wrap("read who is banned", err)
	}
	return ns.remembered.halt(ns.db.Now())
}

// readStale reads the list if it is old. If the process has a list and another call is
// reading a new one, it returns at once.
func (ns *Notices) readStale(ctx context.Context) (known bool, err error) {
	known, fresh := ns.remembered.state(ns.db.Elapsed())
	if fresh {
		return known, nil
	}
	if !known {
		ns.remembered.reading.Lock()
	} else if !ns.remembered.reading.TryLock() {
		return known, nil
	}
	defer ns.remembered.reading.Unlock()
	if _, fresh := ns.remembered.state(ns.db.Elapsed()); fresh {
		return known, nil
	}
	// This command bypasses the gate, because the gate needs the notices to decide.
	found, err := readNotices(upstash.WithGate(ctx, nil), ns.db.Redis)
	if err != nil {
		return known, err
	}
	epoch := ns.remembered.epoch
	if !slices.Contains(found.epochs, epoch) {
		if epoch != "" {
			ns.Forget()
		}
		if len(found.epochs) > 0 {
			epoch = slices.Min(found.epochs)
		} else if epoch, err = ns.beginEpoch(ctx, found.rules); err != nil {
			return known, err
		}
	}
	halted := found.halt(ns.rules(), ns.db.Game.Today(ns.db.Now()))
	ns.remembered.mu.Lock()
	defer ns.remembered.mu.Unlock()
	ns.remembered.epoch = epoch
	ns.remembered.banned, ns.remembered.halted, ns.remembered.at = found.Banned, halted, ns.db.Elapsed()
	return true, nil
}

// Halted is why nothing may be written, as far as this process knows without asking; nil if it
// may, or if it is time to ask. See [Notices.MayWrite].
func (ns *Notices) Halted() error {
	if _, fresh := ns.remembered.state(ns.db.Elapsed()); ns.remembered.stopped == nil && !fresh {
		return nil
	}
	return ns.remembered.halt(ns.db.Now())
}

// Stale makes the next use read the notices again.
func (ns *Notices) Stale() { ns.remembered.stale() }

// remembered is what a process knows of the notices: all banned players, with some 50 bytes each,
// and why nothing may be written. The rest of what was read is with those whom it concerns.
type remembered struct {
	reading sync.Mutex // held while Redis is read or written
	epoch   string     // the name of this Redis, "": never read; guarded by reading

	mu     sync.RWMutex
	banned map[string]struct{} // nil: never read
	halted error               // why nothing may be written, nil: it may; see [Set.halt]
	at     time.Duration

	stopped error // why nothing may be written, whatever Redis says; nil: Redis says
}

// state reports whether the list has been read, and whether it is young enough.
func (r *remembered) state(now time.Duration) (known, fresh bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	keep := readWithin
	if r.halted != nil {
		keep = haltFresh
	}
	return r.banned != nil, r.banned != nil && now-r.at < keep
}

// has reports whether the player is on the list as this process knows it.
func (r *remembered) has(player string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.banned) == 0 {
		return false
	}
	_, is := r.banned[game.BanMember(player)]
	return is
}

// stale makes the next use read the list again.
func (r *remembered) stale() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at -= readWithin
}

// halt is why this process may not write, as far as it knows; nil: it may. A maintenance whose
// end has passed is over.
func (r *remembered) halt(now time.Time) error {
	if r.stopped != nil {
		return r.stopped
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if m, ok := r.halted.(*MaintenanceError); ok {
		left := m.Until.Sub(now)
		if left <= 0 {
			return nil
		}
		return &MaintenanceError{m.Maintenance, left}
	}
	return r.halted
}

// change adds a player to the list or removes one, in memory and in Redis.
func (r *remembered) change(ctx context.Context, redis *upstash.Client, how, player string) error {
	r.reading.Lock()
	defer r.reading.Unlock()
	member := game.BanMember(player)
	if _, err := redis.Do(ctx, upstash.Cmd(how, game.BansKey, member).Idempotent()); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.banned == nil:
	case how == "SADD":
		r.banned[member] = struct{}{}
	default:
		delete(r.banned, member)
	}
	return nil
}

// replaceMaintenance replaces the maintenances in Redis by one, or by none if text is "". The
// next use reads the list again.
func (r *remembered) replaceMaintenance(ctx context.Context, redis *upstash.Client, stand []string, text string) error {
	if err := replace(ctx, redis, game.MaintenanceMember, stand, text); err != nil {
		return err
	}
	r.stale()
	return nil
}
