package board

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// A mode's details of a day are a hash of records by player, each bound to the
// entry that it came with: a card never shows them beside another one, be its
// score the same.

func (w *write) keepsDetails() bool { return w.Mode.Details && len(w.Details) > 0 }

// detailsRecord is "stored details". A total belongs to no single submission.
func (w *write) detailsRecord() string {
	if w.Mode.Policy == game.Sum {
		return anyScore + " " + string(w.Details)
	}
	return detailsRecord(w.stored, w.Details)
}

func detailsRecord(stored float64, details json.RawMessage) string {
	return game.FormatStored(stored) + " " + string(details)
}

const anyScore = "*"

// detailsOf opens a details record for the entry that stands; nil when the
// details belong to another one.
//
// Earlier versions wrote the true score, a whole number, in place of the stored
// one, which has a tie fraction. Such a record would be good for every entry of
// that score; so whoever replaces an entry by one of the same score takes the
// record away, see [write.dropsDetails]. Under latest a score may come back
// later: there such a record is good for none.
func detailsOf(record string, m *game.Mode, stands float64) json.RawMessage {
	of, details, ok := strings.Cut(record, " ")
	if !ok || !json.Valid([]byte(details)) {
		return nil
	}
	byScore := m.Policy != game.Latest && of == itoa(int64(m.Decode(stands)))
	if of != anyScore && !byScore {
		if stored, err := strconv.ParseFloat(of, 64); err != nil || stored != stands {
			return nil
		}
	}
	return json.RawMessage(details)
}

// dropsDetails reports whether the write, having replaced an entry, takes its
// details away: it has the same true score, and brings none of its own.
func (w *write) dropsDetails(was float64) bool {
	return w.Mode.Details && w.Mode.Policy != game.Latest && len(w.Details) == 0 && was != w.stored && w.Mode.Decode(was) == w.Score
}
