package archive_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// A closed day is read from Redis in pages and put as it comes.
func ExampleDays_Begin() {
	a, err := archive.Open(archive.Options{URL: "postgres://user:password@host/database"})
	if err != nil {
		fmt.Println(err)
		return
	}
	closeDay := func(ctx context.Context, d game.Date, pages [][]game.Result, now time.Time) error {
		w, err := a.Days.Begin(ctx, "daily_frame", d, "") // before the first page is read
		if err != nil {
			return err
		}
		for _, page := range pages {
			if err := w.Put(ctx, page); err != nil {
				return err
			}
		}
		report, err := w.Finish(ctx, now)
		fmt.Printf("%d players, %d written, %d removed\n", report.Players, report.Written, report.Removed)
		return err
	}
	_ = closeDay
}

// What to do after an error, whatever was called.
func ExampleErrUnavailable() {
	next := func(err error) string {
		switch {
		case errors.Is(err, archive.ErrUnavailable):
			return "leave it to the next run: it takes up where this one stopped"
		case errors.Is(err, archive.ErrSuperseded):
			return "stop: somebody else is at it"
		case err != nil:
			return "tell the operator"
		}
		return "go on"
	}
	fmt.Println(next(fmt.Errorf("put daily_frame 2026-11-21: %w", archive.ErrUnavailable)))
	// Output: leave it to the next run: it takes up where this one stopped
}

// The page behind the last entry of the page before.
func ExampleBoards_Page() {
	next := func(ctx context.Context, a *archive.Archive, b game.Board, before game.Page) (game.Page, error) {
		last := before.Entries[len(before.Entries)-1]
		return a.Boards.Page(ctx, b, 100, 0, &game.Place{Stored: last.Stored, Player: last.Player})
	}
	_ = next
}
