package api

import (
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/live"
)

// appendVersioned appends a page as the boards route has it, with its version.
func appendVersioned(b []byte, p game.Page, version int64) []byte {
	b, _ = newPageAnswer(p, "").appendTo(b)
	b = strconv.AppendInt(append(b[:len(b)-1], `,"version":`...), version, 10)
	return append(b, '}')
}

// appendChange appends what has changed.
func appendChange(b []byte, of game.Board, e *live.Event) []byte {
	b = strconv.AppendInt(append(b, `{"version":`...), e.Version, 10)
	b = strconv.AppendInt(append(b, `,"total":`...), e.Total, 10)
	b = appendText(append(b, `,"updated_at":`...), e.UpdatedAt.UTC().Format(time.RFC3339))
	b = append(b, `,"entries":[`...)
	for i, row := range newEntries(of, e.Changed, "") {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRow(b, row)
	}
	b = append(b, `],"gone":[`...)
	for i, player := range e.Gone {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, player)
	}
	return append(b, `]}`...)
}
