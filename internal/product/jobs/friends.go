package jobs

import (
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Friends makes the service of friends; nil without an archive.
func Friends(a *app.App, kept *archive.Archive) *friend.Service {
	if kept == nil {
		return nil
	}
	return friend.System(friendstore.In(kept), a.Lists(), a.Now)
}
