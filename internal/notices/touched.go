package notices

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Touched are the keys that one write is to. A process sees to each once: to its
// expiry and, for a board, its place on the index. The zero value is of a write
// that sees to nothing.
type Touched struct {
	s    *Keys
	All  []DayKey // that the write is to
	keys []DayKey // of these, whose expiry it sets

	begun bool
	Round uint64 // of the epoch, as the write began
	proof *proof // whether that stands, where the write asks; else nil
}

// Touch begins to note what a write is to.
func (k *Keys) Touch() Touched { return Touched{s: k} }

// Done is called after Redis has answered. It reports false where Redis is not
// the one that the write took it for: then [Keys.Relearn] sees to its keys.
func (c *Touched) Done() bool {
	if !c.begun {
		return true
	}
	if !c.s.epoch.note(c.All, c.Round, c.proof) {
		return false
	}
	for _, k := range c.keys {
		c.s.db.Expiring.Add(k.Key(), struct{}{})
		c.s.notices.Begun.sawTo(k)
	}
	return true
}

// Day sees to a day board that may be new.
func (c *Touched) Day(p *rdb.Pipeline, m *game.Mode, d game.Date, scope game.Scope) {
	c.See(p, DayKey{Mode: m.Name, Date: d, Scope: scope})
}

// See queues a key's expiry and its place on the index, unless this process has
// seen to them.
func (c *Touched) See(p *rdb.Pipeline, k DayKey) {
	c.Noted(k)
	if command, isNew := c.s.db.Expire(k.Key(), game.Day.Of(k.Date)); isNew {
		p.Add(command, nil)
		k.indexed(p)
		c.keys = append(c.keys, k)
	}
}

// Saw reports whether the write has seen to a key itself.
func (c *Touched) Saw(k DayKey) bool { return slices.Contains(c.keys, k) }

// Noted takes in a board whose expiry and place on the index the write itself sees to.
func (c *Touched) Noted(k DayKey) {
	if !c.begun {
		c.begun, c.Round = true, c.s.epoch.now()
	}
	c.All = append(c.All, k)
}

// Prove queues the question whether the epoch stands, behind the write and where
// that is due, and what others are to be told.
func (c *Touched) Prove(p *rdb.Pipeline) {
	c.s.notices.Begun.tell(p)
	if c.s.epoch.due(slices.ContainsFunc(c.All, DayKey.Grouped), c.s.db.Elapsed()) {
		c.proof = c.s.epoch.ask(p, c.s.db.Elapsed())
	}
}
