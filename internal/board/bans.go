package board

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
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
	halted  error               // why nothing may be written, nil: it may; see [Store.halt]
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

// knowBans sees to it that the list of bans has been read, and the epoch, the
// rules and the maintenance beside it. While Redis does not answer, the list that
// was read last goes on to count. The error is also what keeps everybody from
// writing: *ruleset.ChangedError, *MaintenanceError.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (s *Store) knowBans(ctx context.Context) error {
	known, err := s.readStaleBans(ctx)
	if err != nil && !known {
		return wrap("read who is banned", err)
	}
	if err := s.halted(); err != nil {
		return err
	}
	_ = s.repay(ctx) // mostly nothing; else it is tried again with the next write
	return nil
}

// readStaleBans reads the list where it is old, unless another call is at it and
// a list is known.
func (s *Store) readStaleBans(ctx context.Context) (known bool, err error) {
	known, fresh := s.bans.state(s.elapsed())
	if fresh {
		return known, nil
	}
	if !known {
		s.bans.reading.Lock()
	} else if !s.bans.reading.TryLock() {
		return known, nil
	}
	defer s.bans.reading.Unlock()
	if _, fresh := s.bans.state(s.elapsed()); fresh {
		return known, nil
	}
	round, upTo := s.epoch.mark()
	reply, err := s.redis.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return known, err
	}
	read, err := reply.Strings()
	if err != nil {
		return known, err
	}
	found := noticesAmong(read)
	s.epoch.foundRules(len(found.rules) > 0, s.rules.Stored())
	if s.epoch.read(found.epochs, round, upTo, s.elapsed()) {
		s.end(round)
		round, upTo = s.epoch.mark()
		s.epoch.read(found.epochs, round, upTo, s.elapsed())
	}
	halted := s.halt(found)
	s.bans.mu.Lock()
	defer s.bans.mu.Unlock()
	s.bans.members, s.bans.halted, s.bans.at = found.banned, halted, s.elapsed()
	return true, nil
}

// Ban keeps a player from submitting: here at once, in other processes after
// 15 minutes at the latest. What the player has is left to RemoveRecent.
//
// Cost: 1 billed command.
func (s *Store) Ban(ctx context.Context, player string) error {
	return wrap("ban "+player, s.changeBans(ctx, "SADD", player))
}

// Unban lets a player submit again, as soon as with Ban. It restores nothing.
//
// Cost: 1 billed command.
func (s *Store) Unban(ctx context.Context, player string) error {
	return wrap("lift the ban of "+player, s.changeBans(ctx, "SREM", player))
}

func (s *Store) changeBans(ctx context.Context, how, player string) error {
	s.bans.reading.Lock()
	defer s.bans.reading.Unlock()
	member := game.BanMember(player)
	if _, err := s.redis.Do(ctx, upstash.Cmd(how, game.BansKey, member).Idempotent()); err != nil {
		return err
	}
	s.bans.mu.Lock()
	defer s.bans.mu.Unlock()
	switch {
	case s.bans.members == nil:
	case how == "SADD":
		s.bans.members[member] = struct{}{}
	default:
		delete(s.bans.members, member)
	}
	return nil
}

// Ping reports whether Redis answers and, until it has done so once, whether it
// takes writes: a read-only token may ping.
//
// Cost: 1 billed command for a process, then none. 1 round trip.
func (s *Store) Ping(ctx context.Context) error {
	commands := []upstash.Command{upstash.Cmd("PING")}
	if !s.writes.Load() {
		commands = append(commands, upstash.Cmd("SREM", game.BansKey, "").Idempotent()) // nothing has an empty name
	}
	replies, err := s.redis.Pipeline(ctx, commands...)
	if err == nil {
		err = replies.Err()
	}
	if err == nil {
		s.writes.Store(true)
	}
	return wrap("ping Redis", err)
}

// IsBanned reports whether a player may not play, as this process knows it.
//
// Cost: 1 billed command in 1 round trip, at most every 15 minutes.
func (s *Store) IsBanned(ctx context.Context, player string) (bool, error) {
	if err := s.knowBans(ctx); err != nil {
		return false, err
	}
	return s.bans.has(player), nil
}
