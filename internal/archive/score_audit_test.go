package archive_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/game"
)

// recorded are submissions of one player, by their ids.
func recorded(ids ...string) (all []game.Posted) {
	for i, id := range ids {
		all = append(all, game.Posted{StreamID: id, Mode: "daily", Date: today, Player: "p", Stored: float64(i) + 0.5, At: noon, By: game.ServerSignature})
	}
	return all
}

// judging records all that is new as if nothing had stood before it.
type judging []game.Posted

func (j judging) all(past auditstore.History) (rows []audit.Entry, err error) {
	for i, s := range j {
		if past.Has[i] {
			continue
		}
		row := audit.Entry{Posted: s, After: &j[i].Stored, Outcome: game.Accepted}
		if row.Taken, row.N, err = s.TakenAt(); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// record is what a test records without judging.
func record(t testing.TB, a *archive.Archive, sent ...game.Posted) int64 {
	t.Helper()
	n, err := auditstore.In(a).Record(ctx, sent, judging(sent).all)
	require.NoError(t, err)
	return n
}

// readAudit reads whatever the query means of all dates.
func readAudit(a *archive.Archive, q audit.Query) ([]audit.Entry, error) {
	q.From, q.To = today.AddDays(-1000), today.AddDays(1000)
	return auditstore.In(a).Before(ctx, q, audit.Place{}, 10_000)
}

// Pages of any size, of a player, of a mode or of both, have each submission once, the
// newest date first.
func TestTheRecordIsReadInPages(t *testing.T) {
	a := open(t)
	var sent []game.Posted
	for i := range 60 {
		sent = append(sent, game.Posted{
			StreamID: fmt.Sprintf("%d-%d", 1795000000000+int64(i/7), i%7), Mode: []string{"daily", "weekly"}[i%2], Date: today.AddDays(-i % 3),
			Player: fmt.Sprint("p", i%4), Stored: float64(i) + 0.5, At: noon,
		})
	}
	require.EqualValues(t, 60, record(t, a, sent...))
	require.Zero(t, record(t, a, sent...), "once")
	for _, q := range []audit.Query{
		{Player: "p1", From: today.AddDays(-2), To: today},
		{Player: "p1", From: today.AddDays(-1), To: today.AddDays(-1)},
		{Player: "p1", Mode: "weekly", From: today.AddDays(-2), To: today},
		{Mode: "daily", From: today.AddDays(-2), To: today},
		{Mode: "daily", From: today.AddDays(-2), To: today.AddDays(-1)},
		{Player: "p9", From: today.AddDays(-2), To: today},
	} {
		var want, got []string
		for _, s := range sent {
			if (q.Player == "" || q.Player == s.Player) && (q.Mode == "" || q.Mode == s.Mode) && !s.Date.Before(q.From) && !s.Date.After(q.To) {
				at, n, err := s.TakenAt()
				require.NoError(t, err)
				want = append(want, fmt.Sprintf("%s %s %d %d", s.Date, s.Mode, at.UnixMilli(), n))
			}
		}
		slices.Sort(want)
		slices.Reverse(want)
		after := audit.Place{}
		for {
			page, err := auditstore.In(a).Before(ctx, q, after, 4)
			require.NoError(t, err)
			if len(page) == 0 {
				break
			}
			for _, row := range page {
				got = append(got, fmt.Sprintf("%s %s %d %d", row.Date, row.Mode, row.Taken.UnixMilli(), row.N))
			}
			after = page[len(page)-1].Place()
		}
		require.Equal(t, want, got, q)
	}
}

// Whoever records waits for the one before, and finds what that has left.
func TestOneRunAtATimeJudges(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 4)
	first, both := recorded("1-0", "2-0"), recorded("1-0", "2-0", "3-0")
	found := make(chan auditstore.History, 1)
	_, err := auditstore.In(a).Record(ctx, first, func(past auditstore.History) ([]audit.Entry, error) {
		go func() {
			defer close(found)
			_, err := auditstore.In(a).Record(ctx, both, func(past auditstore.History) ([]audit.Entry, error) {
				found <- past
				return judging(both).all(past)
			})
			assert.NoError(t, err)
		}()
		require.Eventually(t, func() bool {
			return len(query(t, url, `SELECT pid::text FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)) == 1
		}, 10*time.Second, time.Millisecond)
		return judging(first).all(past)
	})
	require.NoError(t, err)
	past := <-found
	require.Equal(t, []bool{true, true, false}, past.Has)
	require.Equal(t, 1.5, *past.Trails[auditstore.PlayerDay{Mode: "daily", Date: today, Player: "p"}].Last.After)
	_, open := <-found
	require.False(t, open)
	rows, err := readAudit(a, audit.Query{Mode: "daily"})
	require.NoError(t, err)
	require.Len(t, rows, 3)
}

// auditAgain records what is recorded.
func auditAgain(a *archive.Archive) error {
	_, err := auditstore.In(a).Record(ctx, recorded("1-0"), judging(recorded("1-0")).all)
	return err
}
