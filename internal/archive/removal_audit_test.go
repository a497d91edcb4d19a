package archive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/game"
)

// An erasure keeps what was done, of nobody: who knows the id still finds it.
func TestErasingAPlayerKeepsTheRecordUnderADigest(t *testing.T) {
	url := archivetest.Database(t)
	a, err := archive.Open(archive.Options{URL: url, Tables: []archive.Tables{auditstore.Tables()}})
	require.NoError(t, err)
	t.Cleanup(func() { a.Close(ctx) })
	const player = "user_erika"
	posted := func(id string, at time.Time) game.Posted {
		return game.Posted{StreamID: id, Mode: "daily", Date: today, Player: player, Stored: 5.5, At: at, Once: "o"}
	}
	require.EqualValues(t, 1, record(t, a, posted("1-0", noon)))
	erased := noon.Add(time.Hour)
	_, err = a.ErasePlayer(ctx, player, game.Act{ID: "erase", Actor: player, At: erased})
	require.NoError(t, err)
	require.Empty(t, query(t, url, `SELECT row::text FROM score_audit AS row WHERE row::text ~ 'user_erika\M'`))
	found, err := readAudit(a, audit.Query{Player: player})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Regexp(t, "^erased:", found[0].Player)
	require.Empty(t, found[0].Once)
	require.EqualValues(t, 1, record(t, a, posted("2-0", noon), posted("3-0", erased.Add(time.Second))), "what came after")
}
