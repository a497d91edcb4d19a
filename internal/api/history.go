package api

import (
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/earnings"
)

// History answers for boards that have left Redis, and keeps what is to
// outlive it. Boards that are still there are asked of it only where Redis
// refuses, or says that nobody was on the board of a period that is over.
type History interface {
	board.Archive
	earnings.History
	devices.History
	FeedHistory
}

// historyUnavailable says on a page that its board has left Redis and nothing
// keeps it: that it is empty tells nothing of who played.
const historyUnavailable = "unavailable"
