package jobs_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// stores is a game over both stores.
type stores struct {
	*testing.T
	app     *app.App
	history *archive.Archive
	now     time.Time
}

func newStores(t *testing.T, address, file string) *stores {
	g, client := testkit.Game(t, file), testkit.NewRedis(t, address).Client
	s := &stores{T: t, now: time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)}
	s.history = testkit.Archive(t, archivetest.Database(t), jobs.Tables()...)
	began := s.now
	s.app = app.New(app.Parts{
		Game: g, Redis: client, Now: s.clock, Log: slog.New(slog.DiscardHandler),
		Elapsed: func() time.Duration { return s.now.Sub(began) }, // what is remembered ages with the clock
	})
	return s
}

// clock advances by a millisecond at every fourth reading only, so that several things happen
// in the same moment.
func (s *stores) clock() time.Time {
	s.now = s.now.Add(time.Millisecond / 4)
	return s.now
}

func (s *stores) job() *jobs.Jobs { return jobs.New(s.app, s.history) }
