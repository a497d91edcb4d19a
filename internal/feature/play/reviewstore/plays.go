package reviewstore

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Plays are the plays that wait for an operator, in Redis and in the archive.
type Plays struct {
	Kept Table
	*review.Store
}

// Drop ends a play's waiting. The archive notes it first, so that the play does not come back
// if Redis is lost.
func (h Plays) Drop(ctx context.Context, p review.Play) error {
	kept, err := review.NewHeldPlay(p)
	if err == nil {
		err = h.Kept.Decide(ctx, kept)
	}
	if err != nil {
		return err
	}
	return h.Store.Drop(ctx, p)
}

// Save brings the waiting plays to the archive, and deletes from it plays that are too old to
// matter.
//
// Cost: 1 billed command, 2 where something waits; none in a game without proofs.
func (h Plays) Save(ctx context.Context, g *game.Game) error {
	if !game.HoldsPlays(g) {
		return nil
	}
	plays, _, err := h.List(ctx, "", review.Most)
	if err != nil {
		return err
	}
	rows := make([]game.HeldPlay, len(plays))
	for i, p := range plays {
		if rows[i], err = review.NewHeldPlay(p); err != nil {
			return err
		}
	}
	return errors.Join(h.Kept.Put(ctx, rows), h.Kept.Prune(ctx, h.Oldest()))
}

// Mirror restores the plays that wait.
func (h Plays) Mirror(g *game.Game) lifecycle.Mirror {
	return lifecycle.Mirror{Name: "held plays", Restore: func(ctx context.Context, dryRun bool) (any, error) {
		if dryRun {
			return nil, nil
		}
		return nil, h.restore(ctx, g)
	}}
}

// restore makes plays wait again that waited. A play that is decided meanwhile is dropped
// again: a decision is noted before the play leaves Redis.
//
// Cost: 4 billed commands for each that waited.
func (h Plays) restore(ctx context.Context, g *game.Game) error {
	if !game.HoldsPlays(g) {
		return nil
	}
	waited, err := h.Kept.Waiting(ctx, h.Oldest())
	if err != nil || len(waited) == 0 {
		return err
	}
	back := map[string]game.HeldPlay{}
	for _, p := range waited {
		// Other plays that came meanwhile may have taken the room.
		if err := h.Restore(ctx, p); err != nil && !errors.Is(err, review.ErrFull) {
			return err
		}
		back[p.ID] = p
	}
	decided, err := h.Kept.Decided(ctx, h.Oldest())
	for _, p := range decided {
		if _, there := back[p.ID]; there {
			err = errors.Join(err, h.Store.Drop(ctx, review.Play{ID: p.ID, Submission: game.Submission{Player: p.Player, At: p.At}}))
		}
	}
	return err
}
