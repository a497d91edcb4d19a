package rollup

import (
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// reopenedMark begins the mark of a mode's day that was written to after its end.
const reopenedMark = "open "

// Reopened is a mark for a mode's day that is to be closed once more. Each mark is different.
// So a process that remembers something of a day that is over sees that the day was written to
// since. The mark must reach Redis with what was written, or after it.
func Reopened(db *rdb.DB) string {
	return reopenedMark + db.ID + "-" + rdb.Itoa(db.Scratches.Add(1))
}

// IsReopened reports whether a mode's day waits to be closed once more, and no closing has
// begun to do so.
func IsReopened(mark string) bool { return strings.HasPrefix(mark, reopenedMark) }

// Reopen marks modes' days to be closed once more, by their fields in the hash of
// [game.ClosedKey].
//
// Cost: 1 billed command.
func Reopen(db *rdb.DB, fields ...string) upstash.Command {
	command, mark := []string{"HSET", game.ClosedKey}, Reopened(db)
	for _, field := range fields {
		command = append(command, field, mark)
	}
	return upstash.Cmd(command...).Idempotent()
}
