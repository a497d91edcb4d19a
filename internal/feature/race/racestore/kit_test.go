package racestore_test

import (
	"context"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
)

var (
	ctx  = context.Background()
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// open gives an archive over a database of its own.
func open(t testing.TB) *archive.Archive {
	return testkit.Archive(t, archivetest.Database(t), racestore.Tables())
}
