package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// dayKey is a key of a day that a process sees to once: its expiry, and, for a
// board, its place on the index.
type dayKey struct {
	mode    string
	date    game.Date
	scope   game.Scope
	details bool
}

func (k dayKey) key() string {
	if k.details {
		return game.DetailsKey(k.mode, k.date)
	}
	return game.BoardKey(k.mode, game.Day.Of(k.date), k.scope)
}

// indexed queues that the board is on the index of its days.
func (k dayKey) indexed(p *pipeline) {
	index, field := game.DaysKey(k.mode), k.date.String()
	switch {
	case k.details:
		return
	case k.grouped():
		index, field = game.ScopedDaysKey(k.mode), game.ScopedDay(k.date, k.scope)
	}
	p.add(upstash.Cmd("HSETNX", index, field, dayOpen).Idempotent(), nil)
}

func (k dayKey) grouped() bool { return k.scope != (game.Scope{}) }

// noExpiry is how TTL answers for a key that stays for ever.
const noExpiry = -1

// there lists which of some keys are in Redis. Mostly none is: 1 command.
func (s *Store) there(ctx context.Context, keys []dayKey) (there []dayKey, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	command := []string{"EXISTS"}
	for _, key := range keys {
		command = append(command, key.key())
	}
	var n int64
	var p pipeline
	p.add(upstash.Cmd(command...), intInto(&n))
	if _, err := p.run(ctx, s.redis); err != nil || n == 0 {
		return nil, wrap("look for boards", err)
	}
	each, err := s.askEach(ctx, "EXISTS", keys)
	for i, n := range each {
		if n > 0 {
			there = append(there, keys[i])
		}
	}
	return there, err
}

// askEach asks for a number about each key.
func (s *Store) askEach(ctx context.Context, what string, keys []dayKey) ([]int64, error) {
	answers := make([]int64, len(keys))
	var p pipeline
	for i, key := range keys {
		p.add(upstash.Cmd(what, key.key()), intInto(&answers[i]))
	}
	_, err := p.run(ctx, s.redis)
	return answers, wrap("look at boards", err)
}

const dayOpen = "0"

const dayFolded = "1"
