package world

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// unite makes each board of the world whose sources have changed, in one atomic step each.
// Concurrent runs are safe: each unites the copies of the moment, and copies only become
// newer.
//
// Cost: 6 billed commands for each board that is made.
func (r *run) unite(ctx context.Context) error {
	keys := map[string]bool{}
	for key := range r.states {
		keys[key] = true
	}
	for key := range r.made { // boards lose the copies of sites that are no longer configured
		keys[key] = true
	}
	for _, copies := range r.copies {
		for key := range copies {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		b, ok := r.boardOf(key)
		if !ok {
			continue
		}
		if err := r.uniteOne(ctx, b); err != nil {
			return redis.Wrap("unite "+b.Key, err)
		}
	}
	return nil
}

func (r *run) uniteOne(ctx context.Context, b game.Board) error {
	before, err := parse[boardSources]("what a board was made of", r.made[b.Key])
	if err != nil {
		return err
	}
	own, err := parse[State]("a state", r.states[b.Key])
	if err != nil {
		return err
	}
	now, from := boardSources{Copies: map[string]State{}}, []string{}
	if own.Stamp != 0 && own.Rules == r.rulesOf(b.Mode) {
		now.Own = &own
		from = append(from, TopKey(b.Key, own.Stamp))
	}
	for name, copies := range r.copies {
		c, err := parse[copied]("a copy", copies[b.Key])
		if err != nil {
			return err
		}
		if c.Stamp != 0 && c.Rules == r.rulesOf(b.Mode) {
			now.Copies[name] = c.State
			from = append(from, CopyKey(name, b.Key))
		}
	}
	// A board that this run copied again had been lost in Redis: the last union may lack it,
	// even if all stamps are the same.
	if len(from) == 0 || now.same(before) && !r.copied[b.Key] {
		return nil
	}
	better, first, last := "MAX", "0", redis.Itoa(-r.rules.Top-1)
	if b.Mode.Order == game.Asc {
		better, first, last = "MIN", redis.Itoa(r.rules.Top), "-1"
	}
	world := BoardOf(b.Mode, b.Period)
	union := append([]string{"ZUNIONSTORE", world.Key, strconv.Itoa(len(from))}, from...)
	p := redis.Pipeline{Atomic: true}
	p.Add(upstash.Cmd(append(union, "AGGREGATE", better)...).Idempotent(), nil)
	p.Add(upstash.Cmd("ZREMRANGEBYRANK", world.Key, first, last).Idempotent(), nil)
	if left := r.db.Seconds(b.Key, b.Period); left != "" {
		p.Add(upstash.Cmd("EXPIRE", world.Key, left).Idempotent(), nil)
	}
	p.Add(upstash.Cmd("HSET", MadeKey, b.Key, textOf(now)).Idempotent(), nil)
	if _, err := p.Run(ctx, r.db.Redis); err != nil {
		return err
	}
	r.made[b.Key] = textOf(now)
	r.Boards.Totals.Forget(world.Key)
	r.Boards.Windows.Forget(world.Key)
	r.report.Made++
	return nil
}
