package jobs

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/history"
)

// WithHistory has an App answer for boards that have left Redis, and for what is
// kept of each player. The archive may be nil.
func WithHistory(a *app.App, kept *archive.Archive) *app.App {
	a = a.WithPeople(People(a, kept))
	if kept == nil {
		return a
	}
	return a.WithHistory(history.New(kept)).WithUsage(Usage(a, kept)).WithClaims(Claims(a, kept))
}

// LeaderboardHandler is the handler of the function leaderboard. The archive
// may be nil.
func LeaderboardHandler(a *app.App, kept *archive.Archive) http.Handler {
	return WithHistory(a, kept).Leaderboard()
}
