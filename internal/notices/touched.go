package notices

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Touched are the keys of days that one write changes. A process sets the expiry of each once
// and, for a board, its place on the index. The zero value is for a write that sets none.
type Touched struct {
	s    *Keys
	All  []DayKey // all keys that the write changes
	keys []DayKey // those of them whose expiry it sets
	was  []DayKey // those of these that were on the index before

	begun bool
	Round uint64 // of the epoch, when the write began
	proof *proof // nil if the write does not ask for the epoch
}

// Touch begins the list of keys that a write changes.
func (k *Keys) Touch() Touched { return Touched{s: k} }

// Done is called after Redis has answered. It reports false if Redis was lost since the process
// last knew it: then the caller calls [Keys.Relearn].
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

// Day is See for a day board.
func (c *Touched) Day(p *rdb.Pipeline, m *game.Mode, d game.Date, scope game.Scope) {
	c.See(p, DayKey{Mode: m.Name, Date: d, Scope: scope})
}

// See queues a key's expiry and its place on the index, unless this process has set them.
func (c *Touched) See(p *rdb.Pipeline, k DayKey) {
	c.Noted(k)
	if command, isNew := c.s.db.Expire(k.Key(), game.Day.Of(k.Date)); isNew {
		p.Add(command, nil)
		k.indexed(p, func() { c.was = append(c.was, k) })
		c.keys = append(c.keys, k)
	}
}

// Saw reports whether the write itself has set a key's expiry.
func (c *Touched) Saw(k DayKey) bool { return slices.Contains(c.keys, k) }

// SeeFilled is See for a board of which this process knows that it was empty.
func (c *Touched) SeeFilled(p *rdb.Pipeline, k DayKey) {
	c.Noted(k)
	if command, isNew := c.s.db.Expire(k.Key(), game.Day.Of(k.Date)); isNew {
		p.Add(command, nil)
		p.Add(k.filled(), nil)
		c.keys = append(c.keys, k)
	}
}

// WasIndexed reports whether a board that See put onto the index was on it before.
func (c *Touched) WasIndexed(k DayKey) bool { return slices.Contains(c.was, k) }

// Noted adds a board whose expiry and place on the index the write sets by other means.
func (c *Touched) Noted(k DayKey) {
	if !c.begun {
		c.begun, c.Round = true, c.s.epoch.now()
	}
	c.All = append(c.All, k)
}

// Prove queues, after the write, new notices for other processes and, if it is due, the question
// whether Redis still has the epoch.
func (c *Touched) Prove(p *rdb.Pipeline) {
	c.s.notices.Begun.share(p)
	if c.s.epoch.due(slices.ContainsFunc(c.All, DayKey.Grouped), c.s.db.Elapsed()) {
		c.proof = c.s.epoch.ask(p, c.s.db.Elapsed())
	}
}
