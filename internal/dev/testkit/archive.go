package testkit

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
)

// connections is how many queries of a test may run at once.
const connections = 8

// Archive opens the archive in a database made by package archivetest. It is closed when the
// test ends.
func Archive(tb testing.TB, database string, features ...archive.Tables) *archive.Archive {
	tb.Helper()
	a, err := archive.Open(archive.Options{URL: database, Connections: connections, Tables: features})
	require.NoError(tb, err)
	tb.Cleanup(func() { a.Close(context.Background()) })
	return a
}
