package board

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// touched are the keys that one write is to. A process sees to each once: to its
// expiry and, for a board, its place on the index. The zero value is of a write
// that sees to nothing.
type touched struct {
	s    *Store
	all  []dayKey // that the write is to
	keys []string // of these, whose expiry it sets

	begun bool
	round uint64 // of the epoch, as the write began
	proof *proof // whether that stands, where the write asks; else nil
}

// touch begins to note what a write is to.
func (s *Store) touch() touched { return touched{s: s} }

// done is called after Redis has answered. It reports false where Redis is not
// the one that the write took it for: then [Store.relearn] sees to its keys.
func (c *touched) done() bool {
	if !c.begun {
		return true
	}
	if !c.s.epoch.note(c.all, c.round, c.proof) {
		return false
	}
	for _, key := range c.keys {
		c.s.expiring.Add(key, struct{}{})
	}
	return true
}

// day sees to a day board that may be new.
func (c *touched) day(p *pipeline, m *game.Mode, d game.Date, scope game.Scope) {
	c.see(p, dayKey{mode: m.Name, date: d, scope: scope})
}

// see queues a key's expiry and its place on the index, unless this process has
// seen to them.
func (c *touched) see(p *pipeline, k dayKey) {
	if !c.begun {
		c.begun, c.round = true, c.s.epoch.now()
	}
	c.all = append(c.all, k)
	key := k.key()
	if command, isNew := c.s.expire(key, game.Day.Of(k.date)); isNew {
		p.add(command, nil)
		k.indexed(p)
		c.keys = append(c.keys, key)
	}
}

// prove queues the question whether the epoch stands, behind the write and where
// that is due.
func (c *touched) prove(p *pipeline) {
	if c.s.epoch.due(slices.ContainsFunc(c.all, dayKey.grouped), c.s.elapsed()) {
		c.proof = c.s.epoch.ask(p, c.s.elapsed())
	}
}
