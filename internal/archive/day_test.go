package archive_test

import (
	"encoding/json"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

func TestADayComesBackAsItWasPut(t *testing.T) {
	a := open(t)
	brazil, x := scope(t, "country:BR"), scope(t, "group:x")
	given := []game.Result{
		{Player: "Zoe", Stored: 800.0123},
		{Player: "ana", Stored: 1000.03, Scopes: []game.ScopedResult{{Scope: brazil, Stored: 1000.03}, {Scope: x, Stored: 400.5}},
			Details: json.RawMessage(`{"b":1,  "a":[2,null]}`)},
		{Player: "a.b:c@d-e_f", Stored: math.Nextafter(-5, 0), Scopes: []game.ScopedResult{{Scope: x, Stored: math.Nextafter(-5, 0)}}},
	}
	report := put(t, a, "daily", today, given...)
	require.Equal(t, archive.DayReport{Players: 3, Written: 3, Complete: true}, report)
	require.Equal(t, []game.Result{given[0], given[2], given[1]}, day(t, a, "daily", today), "in byte order")
	require.Equal(t, game.Score(-5), given[2].Score())

	days, err := a.Days.Between(ctx, "daily", today, today)
	require.NoError(t, err)
	require.Len(t, days, 1)
	require.True(t, days[0].ArchivedAt.Equal(noon))
	require.Equal(t, archive.ArchivedDay{Date: today, Players: 3, Complete: true, AsClosed: true, ArchivedAt: days[0].ArchivedAt}, days[0])
}

// A double comes back bit for bit, on the global board and on scoped ones.
func TestStoredScoresAreExact(t *testing.T) {
	a := open(t)
	brazil := scope(t, "country:BR")
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1<<53, 1<<53)
		stored, scoped := number.Draw(t, "stored"), number.Draw(t, "scoped")
		put(t, a, "daily", today, game.Result{Player: "p", Stored: stored, Scopes: []game.ScopedResult{{Scope: brazil, Stored: scoped}}})
		back := day(t, a, "daily", today)[0]
		require.Equal(t, math.Float64bits(stored)<<1, math.Float64bits(back.Stored)<<1)
		require.Equal(t, scoped, back.Scopes[0].Stored)
	})
}

func TestADayWrittenAgainWritesWhatChanged(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	all := results(2500, func(i int) float64 { return float64(i) + 0.01 })
	require.Equal(t, int64(2500), put(t, a, "daily", today, all...).Written)
	versions := query(t, url, `SELECT player || xmin || xmax FROM results ORDER BY player`)

	require.Zero(t, put(t, a, "daily", today, all...).Written)
	require.Equal(t, versions, query(t, url, `SELECT player || xmin || xmax FROM results ORDER BY player`), "no row was touched or locked")

	all[7].Stored = 9000.5
	all[8].Details = json.RawMessage(`{}`)
	all[9].Scopes = []game.ScopedResult{{Scope: scope(t, "country:BR"), Stored: all[9].Stored}}
	require.Equal(t, int64(3), put(t, a, "daily", today, all...).Written)
	require.Equal(t, all, day(t, a, "daily", today))
}

func TestAPlayerGivenTwiceStandsAsGivenLast(t *testing.T) {
	a := open(t)
	report := put(t, a, "daily", today, game.Result{Player: "p", Stored: 1}, game.Result{Player: "q", Stored: 1}, game.Result{Player: "p", Stored: 2})
	require.Equal(t, int64(2), report.Players)
	require.Equal(t, []game.Result{{Player: "p", Stored: 2}, {Player: "q", Stored: 1}}, day(t, a, "daily", today))
}

func TestFinishRemovesWhoIsGone(t *testing.T) {
	a := open(t)
	all := results(1500, func(int) float64 { return 1 })
	put(t, a, "daily", today, all...)
	put(t, a, "other", today, all[0])

	t.Run("some", func(t *testing.T) {
		report := put(t, a, "daily", today, all[3:]...)
		require.Equal(t, archive.DayReport{Players: 1497, Removed: 3, Complete: true}, report)
		require.Equal(t, all[3:], day(t, a, "daily", today))
	})
	t.Run("down to nobody", func(t *testing.T) {
		report := put(t, a, "daily", today)
		require.Equal(t, archive.DayReport{Removed: 1497, Complete: true}, report)
		require.Len(t, day(t, a, "other", today), 1, "another mode stays")
	})
}

func TestAPartOfADayIsNotWhole(t *testing.T) {
	a := open(t)
	for n := range 2 {
		w, err := a.Days.BeginSaving(ctx, "daily", today, "", time.Now())
		require.NoError(t, err)
		require.NoError(t, w.Put(ctx, results(5, func(int) float64 { return 1 })[n*2:n*2+3]))
		report, err := w.Finish(ctx, noon)
		require.NoError(t, err)
		require.Equal(t, archive.DayReport{Players: int64(3 + 2*n), Written: int64(3 - n)}, report, "who was there stays")
	}
}

func TestAnOlderRunIsRefused(t *testing.T) {
	a := open(t)
	older, err := a.Days.Begin(ctx, "daily", today, "")
	require.NoError(t, err)
	require.NoError(t, older.Put(ctx, results(2, func(int) float64 { return 1 })))
	newer, err := a.Days.Begin(ctx, "daily", today, "")
	require.NoError(t, err)

	require.ErrorIs(t, older.Put(ctx, results(3, func(int) float64 { return 9 })), archive.ErrSuperseded)
	_, err = older.Finish(ctx, noon)
	require.ErrorIs(t, err, archive.ErrSuperseded)

	require.NoError(t, newer.Put(ctx, results(1, func(int) float64 { return 1 })))
	report, err := newer.Finish(ctx, noon)
	require.NoError(t, err)
	require.Equal(t, archive.DayReport{Players: 1, Removed: 1, Complete: true}, report)
}

// Runs at once end with exactly the rows of the one that began last.
func TestTheRunThatBeganLastDecides(t *testing.T) {
	a := open(t)
	for round := range 4 {
		var mu sync.Mutex
		last := -1 // among those that finished
		var wg sync.WaitGroup
		for run := range 8 {
			wg.Go(func() {
				w, err := a.Days.Begin(ctx, "daily", today, "")
				for page := 0; err == nil && page < 6; page++ {
					rows := results(100*(run+1), func(i int) float64 { return float64(round*1000 + run) })
					err = w.Put(ctx, rows[len(rows)*page/6:len(rows)*(page+1)/6])
				}
				if err == nil {
					_, err = w.Finish(ctx, noon)
				}
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					last = run
				} else if !errors.Is(err, archive.ErrSuperseded) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.GreaterOrEqual(t, last, 0, "the last to begin finishes")
		require.Equal(t, results(100*(last+1), func(int) float64 { return float64(round*1000 + last) }), day(t, a, "daily", today))
	}
}

func TestPartitionsAreMadeByMonth(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 8)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := a.Days.EnsurePartitions(ctx, game.NewDate(2026, 12, 31), game.NewDate(2027, 2, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, []string{"results_2026_12", "results_2027_01", "results_2027_02"},
		query(t, url, `SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'results'::regclass ORDER BY 1`))

	put(t, a, "daily", game.NewDate(2026, 12, 31), game.Result{Player: "p", Stored: 1})
	put(t, a, "daily", game.NewDate(2027, 1, 1), game.Result{Player: "p", Stored: 2})
	require.Equal(t, []string{"results_2026_12", "results_2027_01"}, query(t, url, `SELECT tableoid::regclass::text FROM results ORDER BY 1`))
}

func TestWhatCannotBeAResultIsRefused(t *testing.T) {
	a := open(t)
	for name, r := range map[string]game.Result{
		"a forged player":           {Player: "a b", Stored: 1},
		"no player":                 {Stored: 1},
		"not a number":              {Player: "p", Stored: math.NaN()},
		"beyond a double's integer": {Player: "p", Stored: math.Inf(1)},
		"details that are no JSON":  {Player: "p", Stored: 1, Details: json.RawMessage(`{`)},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := a.Days.Begin(ctx, "daily", today, "")
			require.NoError(t, err)
			err = w.Put(ctx, []game.Result{r})
			require.Error(t, err)
			require.NotErrorIs(t, err, archive.ErrUnavailable)
		})
	}
	w, err := a.Days.Begin(ctx, "daily", today, "")
	require.NoError(t, err)
	require.ErrorContains(t, w.Put(ctx, make([]game.Result, archive.MostRows+1)), "use up to 10000")
	_, err = a.Days.Begin(ctx, "Not A Mode", today, "")
	require.NoError(t, err, "the name is checked with the first row")
}
