package board

import (
	"github.com/framedle/leaderboards/internal/game"
)

// A mode's details of a day are a hash of records by player, each bound to the
// entry that it came with: a card never shows them beside another one, be its
// score the same.

func (w *write) keepsDetails() bool { return w.Mode.Details && len(w.Details) > 0 }

// detailsRecord is the record of the details that the write came with.
func (w *write) detailsRecord() string { return game.DetailsRecord(w.Mode, w.stored, w.Details) }

// dropsDetails reports whether the write, having replaced an entry, takes its
// details away: it has the same true score, and brings none of its own.
func (w *write) dropsDetails(was float64) bool {
	return w.Mode.Details && w.Mode.Policy != game.Latest && len(w.Details) == 0 && was != w.stored && w.Mode.Decode(was) == w.Score
}
