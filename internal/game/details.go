package game

import (
	"encoding/json"
	"strconv"
	"strings"
)

// DetailsRecord is "stored details": the stored score of the entry that the details were sent
// with, and the details. A total belongs to no single submission, and has anyScore in place of
// a score.
func DetailsRecord(m *Mode, stored float64, details json.RawMessage) string {
	if m.Policy == Sum {
		return anyScore + " " + string(details)
	}
	return FormatStored(stored) + " " + string(details)
}

const anyScore = "*"

// DetailsOf reads a details record for the entry that the player has; nil if the details belong
// to another entry.
//
// Earlier versions wrote the true score, a whole number, in place of the stored one, which has
// a tie fraction. Such a record would fit every entry of that score; so a write that replaces
// an entry by one of the same score deletes the record. Under latest a score may come back
// later: there such a record fits none.
func DetailsOf(record string, m *Mode, stands float64) json.RawMessage {
	of, details, ok := strings.Cut(record, " ")
	if !ok || !json.Valid([]byte(details)) {
		return nil
	}
	byScore := m.Policy != Latest && of == strconv.FormatInt(int64(m.Decode(stands)), 10)
	if of != anyScore && !byScore {
		if stored, err := strconv.ParseFloat(of, 64); err != nil || stored != stands {
			return nil
		}
	}
	return json.RawMessage(details)
}
