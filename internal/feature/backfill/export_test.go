package backfill

import (
	"cmp"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Small has an import sort and write in parts of some lines.
func Small(o Options) Options {
	o.sortSize, o.pageSize = 100, 3
	return o
}

// Play is a line as it is sorted.
type Play = play

// NewPlay is a play with what it is sorted by, and one text.
func NewPlay(date game.Date, mode int, player string, at time.Time, file int, line int64, details string) Play {
	return play{date: date, mode: mode, player: player, at: at, line: place{file, line}, details: details, score: -5}
}

// Order compares plays as they are to be sorted.
func (p Play) Order(q Play) int {
	never := func(at time.Time) time.Time {
		if at.IsZero() {
			return time.Unix(1<<60, 0)
		}
		return at
	}
	return cmp.Or(p.date.Compare(q.date), cmp.Compare(p.mode, q.mode), cmp.Compare(p.player, q.player),
		never(p.at).Compare(never(q.at)), cmp.Compare(p.line.file, q.line.file), cmp.Compare(p.line.line, q.line.line))
}

// Bytes is what is sorted; ReadPlay is its inverse.
func (p Play) Bytes() []byte { return p.appendTo(nil) }

// ReadPlay reads what Bytes has written.
func ReadPlay(b []byte) (Play, error) { return readPlay(b) }
