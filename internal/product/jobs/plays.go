package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/feature/play/reviewstore"
	"github.com/framedle/leaderboards/internal/product/app"
)

// HeldPlays are the held plays, whose decisions are kept in the archive.
func HeldPlays(a *app.App, kept *archive.Archive) reviewstore.Plays {
	return reviewstore.Plays{Kept: reviewstore.In(kept), Store: a.HeldPlays()}
}

// savePlays archives the plays that wait for an operator.
func (j *Jobs) savePlays(ctx context.Context) error {
	return reviewstore.Plays{Kept: reviewstore.In(j.closing.Archive), Store: review.New(j.closing.Store.DB)}.Save(ctx, j.closing.Game)
}
