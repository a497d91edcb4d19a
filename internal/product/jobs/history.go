// This file answers for boards that Redis does not have, from the archive (package
// archive), for the API.
//
// It knows the values of both packages, and how long a reader may wait for Postgres. It does
// not know SQL, Redis or HTTP; names and cursors belong to package leaderboard.

package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/product/app"
)

// patience is how long a reader waits for Postgres: long enough for a database that wakes up,
// and well within a function's timeout.
const historyPatience = 5 * time.Second

// History is safe for concurrent use.
type History struct{ archive *archive.Archive }

// New makes a History of an archive. It dials nothing.
func NewHistory(a *archive.Archive) *History { return &History{a} }

var _ app.History = (*History)(nil)

// within bounds one question, and names passing failures.
func within(ctx context.Context, ask func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, historyPatience)
	defer cancel()
	err := ask(limited)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, archive.ErrNotOnBoard):
		return leaderboard.ErrNotOnBoard
	case errors.Is(err, archive.ErrUnavailable), limited.Err() != nil && ctx.Err() == nil:
		return fmt.Errorf("%w: %w", problem.ErrHistoryAway, err)
	}
	return err
}

// Page reads a run of a board from an offset, or after a place.
// 1 or 2 round trips to Postgres.
func (h *History) Page(ctx context.Context, b game.Board, limit, offset int64, after *game.Place) (run game.Page, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		run, err = h.archive.Boards.Page(ctx, b, limit, offset, after)
		return err
	})
	return run, err
}

// NewestSubmissions reads the latest submissions of a day.
// 1 round trip to Postgres.
func (h *History) NewestSubmissions(ctx context.Context, mode string, d game.Date, limit int) (list []game.Posted, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		list, err = h.archive.Submissions.Newest(ctx, mode, d, limit)
		return err
	})
	return list, err
}

// Standing reads where a player stood on a board, and in the period before; on the board of a
// day also the details of the play.
// 2 round trips to Postgres, 3 where the mode keeps details.
func (h *History) Standing(ctx context.Context, b game.Board, player string) (at game.Standing, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		if at, err = h.archive.Boards.Standing(ctx, b, player); err != nil {
			return err
		}
		if at.PreviousRank, err = h.previousRank(ctx, b, player); err != nil {
			return err
		}
		return h.readDetails(ctx, b, player, &at)
	})
	return at, err
}

func (h *History) previousRank(ctx context.Context, b game.Board, player string) (int64, error) {
	before, ok := b.Period.Previous()
	if !ok {
		return 0, nil
	}
	then, err := h.archive.Boards.Standing(ctx, game.BoardOf(b.Mode, before, b.Scope), player)
	if errors.Is(err, archive.ErrNotOnBoard) {
		return 0, nil
	}
	return then.Rank, err
}

func (h *History) readDetails(ctx context.Context, b game.Board, player string, at *game.Standing) error {
	if !b.Mode.Details || b.Period.Kind() != game.Day {
		return nil
	}
	day := b.Period.First()
	results, err := h.archive.Results.Of(ctx, player, day, day)
	for _, r := range results {
		if r.Mode == b.Mode.Name {
			at.Details = r.Details
		}
	}
	return err
}

// Around reads the entries around a player. 2 or 3 round trips to Postgres.
func (h *History) Around(ctx context.Context, b game.Board, player string, reach int64) (run game.Page, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		run, err = h.archive.Boards.Around(ctx, b, player, reach)
		return err
	})
	return run, err
}

// Lookup ranks given players among themselves. 1 round trip to Postgres.
func (h *History) Lookup(ctx context.Context, b game.Board, players []string) (entries []game.Entry, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		entries, err = h.archive.Boards.Lookup(ctx, b, players)
		return err
	})
	return entries, err
}

// Distribution counts a board in at most so many buckets. 2 round trips to Postgres.
func (h *History) Distribution(ctx context.Context, b game.Board, buckets int) (counted game.Distribution, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		counted, err = h.archive.Boards.Distribution(ctx, b, buckets)
		return err
	})
	return counted, err
}

// MostPlayers returns how many players the largest day of some modes has. 1 round trip to
// Postgres.
func (h *History) MostPlayers(ctx context.Context, modes []string) (most int64, err error) {
	err = within(ctx, func(ctx context.Context) (err error) {
		most, err = h.archive.Days.MostPlayers(ctx, modes)
		return err
	})
	return most, err
}

// SavedAt returns when the board's days were last saved; the zero time if none was. 1 round
// trip to Postgres.
func (h *History) SavedAt(ctx context.Context, b game.Board) (at time.Time, err error) {
	err = within(ctx, func(ctx context.Context) error {
		days, err := h.archive.Days.Between(ctx, b.Mode.Name, b.Period.First(), b.Period.Last())
		for _, day := range days {
			if day.ArchivedAt.After(at) {
				at = day.ArchivedAt
			}
		}
		return err
	})
	return at, err
}

// Hides reports whether a player is hidden from others. 1 round trip to Postgres.
func (h *History) Hides(ctx context.Context, player string) (hidden bool, err error) {
	err = within(ctx, func(ctx context.Context) error {
		found, err := h.archive.Profiles.Of(ctx, []string{player})
		hidden = len(found) > 0 && found[0].Hidden
		return err
	})
	return hidden, err
}

// KeepProfile keeps a player's profile. 1 round trip to Postgres.
func (h *History) KeepProfile(ctx context.Context, player string, p game.Profile, at time.Time) error {
	return h.KeepProfiles(ctx, []game.PlayerProfile{{Player: player, Profile: p, UpdatedAt: at}})
}

// KeepProfiles keeps players' profiles. 1 round trip to Postgres.
func (h *History) KeepProfiles(ctx context.Context, all []game.PlayerProfile) error {
	return within(ctx, func(ctx context.Context) error { return h.archive.Profiles.Put(ctx, all) })
}
