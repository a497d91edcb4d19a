package archive_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/game"
)

// takenAt is a submission that Redis took at a moment.
func takenAt(at time.Time) game.Posted {
	p := recorded(strconv.FormatInt(at.UnixMilli(), 10) + "-0")[0]
	p.Player = at.Format("2006-01")
	return p
}

// The tables of score_audit, by name, but for the default one.
const tablesOfMonths = `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
WHERE inhparent = 'score_audit'::regclass AND relname <> 'score_audit_default' ORDER BY relname`

// Years of months, of which none had a table when its rows came: they are read all the
// same, move to their months' tables when somebody tends them, and go with these.
func TestTheRecordIsKeptByMonths(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 4)
	const months, kept = 40, 24
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	var sent []game.Posted
	for i := range months {
		first := month.AddDate(0, -i, 0)
		sent = append(sent, takenAt(first), takenAt(first.AddDate(0, 1, 0).Add(-time.Millisecond))) // both edges; the last is not over
	}
	require.EqualValues(t, len(sent), record(t, a, sent...))
	read := func() int {
		rows, err := readAudit(a, audit.Query{Mode: "daily"})
		require.NoError(t, err)
		return len(rows)
	}
	astray := func() int64 {
		n, err := auditstore.In(a).Astray(ctx)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, len(sent), read())
	require.EqualValues(t, len(sent), astray())

	day := game.DateOf(now)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { assert.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), kept)) })
	}
	wait.Wait()
	var want []string
	for at := month.AddDate(0, -kept, 0); !at.After(day.AddDays(35).Midnight()); at = at.AddDate(0, 1, 0) {
		want = append(want, fmt.Sprintf("score_audit_%s", at.Format("2006_01")))
	}
	require.Equal(t, want, query(t, url, tablesOfMonths))
	require.Zero(t, astray())
	require.Equal(t, 2*(kept+1), read(), "the month under way, and so many before it")

	// A clock that is ahead takes nothing away that Postgres' own has not, and one that is
	// late takes nothing away.
	for _, years := range []int{10, -10} {
		wrong := game.DateOf(now.AddDate(years, 0, 0))
		require.NoError(t, auditstore.In(a).Tend(ctx, wrong, wrong.AddDays(35), kept))
		require.Equal(t, 2*(kept+1), read(), years)
	}
	require.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), kept))

	// A table that is lost: what comes meanwhile waits in the default one.
	apply(t, url, "DROP TABLE "+want[kept])
	require.Equal(t, 2*kept, read())
	require.EqualValues(t, 1, record(t, a, takenAt(month)))
	require.EqualValues(t, 1, astray())
	require.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), kept))
	require.Zero(t, astray())
	require.Equal(t, 2*kept+1, read())

	require.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), 3))
	require.Equal(t, 7, read(), "three months, and the one under way")
}

// Whoever reads the record for long, as a copy of the database does, keeps nobody else from
// it: the tables are tended by the next run.
func TestTendingDoesNotWaitForLongReaders(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 2)
	record(t, a, takenAt(noon))
	reader, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer reader.Close(ctx)
	reading, err := reader.Begin(ctx)
	require.NoError(t, err)
	_, err = reading.Exec(ctx, "SELECT FROM score_audit")
	require.NoError(t, err)

	day := game.DateOf(time.Now())
	within, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	err = auditstore.In(a).Tend(within, day, day.AddDays(35), 24)
	require.ErrorContains(t, err, "lock timeout")
	require.NoError(t, within.Err())
	require.EqualValues(t, 1, record(t, a, takenAt(noon.Add(time.Second))), "recording goes on")

	require.NoError(t, reading.Rollback(ctx))
	require.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), 24))
	n, err := auditstore.In(a).Astray(ctx)
	require.NoError(t, err)
	require.Zero(t, n)
}

// TestATableThatIsDetachedAndKeptIsInTheWay of its month, until it is attached again or has
// another name; nothing is lost.
func TestATableThatIsDetachedAndKeptIsInTheWay(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 2)
	day := game.DateOf(noon)
	require.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), 24))
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer conn.Close(ctx)
	name := "score_audit_" + noon.Format("2006_01")
	_, err = conn.Exec(ctx, "ALTER TABLE score_audit DETACH PARTITION "+name)
	require.NoError(t, err)
	require.EqualValues(t, 1, record(t, a, takenAt(noon)))
	require.ErrorContains(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), 24), `relation "`+name+`" already exists`)
	n, err := auditstore.In(a).Astray(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	_, err = conn.Exec(ctx, "ALTER TABLE "+name+" RENAME TO kept_"+name)
	require.NoError(t, err)
	require.NoError(t, auditstore.In(a).Tend(ctx, day, day.AddDays(35), 24))
	n, err = auditstore.In(a).Astray(ctx)
	require.NoError(t, err)
	require.Zero(t, n)
}
