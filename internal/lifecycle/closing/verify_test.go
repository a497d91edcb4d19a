package closing_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/lifecycle"
)

// If the history fails in the middle of a verify, the result is neither a difference nor an
// agreement: verify reports nothing of what it could not read.
func TestAVerifyOfAHistoryThatFailsSaysSoAndNothingElse(t *testing.T) {
	for _, broken := range []string{
		`ALTER TABLE results RENAME COLUMN details TO gone`,
		`ALTER TABLE results RENAME COLUMN stored TO gone`,
		`ALTER TABLE archived_days RENAME COLUMN complete TO gone`,
	} {
		k := newKit(t)
		k.playDays(monday, 3, 5)
		k.agree()
		conn, err := pgx.Connect(t.Context(), k.url)
		require.NoError(t, err)
		defer func() { _ = conn.Close(context.Background()) }()
		_, err = conn.Exec(t.Context(), broken)
		require.NoError(t, err, broken)
		_, err = k.process().Verify(t.Context(), func(d lifecycle.Difference) { t.Errorf("%s: told of %+v", broken, d) })
		require.Error(t, err, broken)
	}
}
