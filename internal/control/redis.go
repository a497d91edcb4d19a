package control

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ErrLost says that Redis was lost while a job read from it, so what the job has read last may
// be incomplete.
var ErrLost = errors.New("redis was lost while the job read from it; run it again")

// Source is the name of this Redis. A loss of Redis loses the name; a restore keeps it. The
// archive stores the name with each day, because a process that archives from another Redis
// does not know what this one had. The first process that asks an empty Redis names it.
//
// Cost: 1 billed command; 2 more if there is no name yet.
func (ns *Notices) Source(ctx context.Context) (string, error) {
	ask := upstash.Cmd("HGET", game.ClosedKey, game.SourceField)
	reply, err := ns.db.Redis.Do(ctx, ask)
	if err == nil && reply.IsNil() {
		var p redis.Pipeline
		p.Add(upstash.Cmd("HSETNX", game.ClosedKey, game.SourceField, rand.Text()).Idempotent(), nil)
		p.Add(ask, func(named upstash.Reply) error { reply = named; return nil })
		_, err = p.Run(ctx, ns.db.Redis)
	}
	if err != nil {
		return "", redis.Wrap("ask for the name of Redis", err)
	}
	source, err := reply.Text()
	return source, redis.Wrap("ask for the name of Redis", err)
}

// FromSource returns nil if this is still the Redis of that name, so that everything that was
// read before was read from it; otherwise ErrLost.
//
// Cost: 1 billed command.
func (ns *Notices) FromSource(ctx context.Context, source string) error {
	reply, err := ns.db.Redis.Do(ctx, upstash.Cmd("HGET", game.ClosedKey, game.SourceField))
	if err != nil {
		return redis.Wrap("ask for the name of Redis", err)
	}
	if reply.IsNil() {
		return ErrLost
	}
	name, err := reply.Text()
	if err == nil && name != source {
		return ErrLost
	}
	return redis.Wrap("ask for the name of Redis", err)
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
	return redis.Wrap("ping Redis", err)
}

// Size counts the keys of Redis.
//
// Cost: 1 billed command.
func (ns *Notices) Size(ctx context.Context) (keys int64, err error) {
	reply, err := ns.db.Redis.Do(ctx, upstash.Cmd("DBSIZE"))
	if err == nil {
		keys, err = reply.Int64()
	}
	return keys, redis.Wrap("count the keys of Redis", err)
}
