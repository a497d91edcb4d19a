package archive_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

// What a saving may not do, one by one.
func TestASavingLeavesAClosedDayAlone(t *testing.T) {
	a := open(t)
	given := game.Result{Player: "p", Stored: 1, Scopes: []game.ScopedResult{{Scope: scope(t, "group:x"), Stored: 1}}}
	begin := func(d game.Date) error {
		_, err := a.Days.BeginSaving(ctx, "daily", d, "here", time.Now())
		return err
	}
	t.Run("while it closes", func(t *testing.T) {
		closing, err := a.Days.Begin(ctx, "daily", today, "here")
		require.NoError(t, err)
		require.ErrorIs(t, begin(today), archive.ErrClosed)
		require.NoError(t, closing.Put(ctx, []game.Result{given}))
		_, err = closing.Finish(ctx, noon)
		require.NoError(t, err)
	})
	t.Run("after it closed", func(t *testing.T) {
		require.ErrorIs(t, begin(today), archive.ErrClosed)
		require.Equal(t, []game.Result{given}, day(t, a, "daily", today))
	})
	t.Run("not where a removal has ended the closing", func(t *testing.T) {
		d := today.AddDays(1)
		_, err := a.Days.Begin(ctx, "daily", d, "here")
		require.NoError(t, err)
		_, err = a.Results.Delete(ctx, "daily", d, "q", act("1"))
		require.NoError(t, err)
		require.NoError(t, begin(d))
	})
	t.Run("what another Redis had is told apart", func(t *testing.T) {
		_, err := a.Days.BeginSaving(ctx, "daily", today, "there", time.Now())
		require.ErrorIs(t, err, archive.ErrOtherSource)
		_, err = a.Days.BeginSaving(ctx, "daily", today, "", time.Now())
		require.ErrorIs(t, err, archive.ErrClosed)
	})
}

// steps are how far a run of a model is: begun, one page in, both in, finished.
const steps = 4

// aRun is a run beside its model: what it is given, and how it does.
type aRun struct {
	closing bool
	rows    []game.Result
	write   *archive.DayWrite
	done    int
	over    bool // it was refused or superseded
}

// dayModel is a plain model of one mode's day under runs that take turns.
type dayModel struct {
	rows    map[string]game.Result
	newest  *aRun // that has begun and was not refused
	closed  *aRun // the closing that finished last
	closing *aRun // one that is under way
}

// step takes the run a step further in the archive and in the model, and holds the
// one against the other.
func (m *dayModel) step(t require.TestingT, a *archive.Archive, d game.Date, r *aRun) {
	var err error
	r.done++
	switch r.done {
	case 1:
		if r.closing {
			r.write, err = a.Days.Begin(ctx, "daily", d, "")
			require.NoError(t, err, "nothing keeps a closing from beginning")
			m.newest, m.closing = r, r
			return
		}
		r.write, err = a.Days.BeginSaving(ctx, "daily", d, "", time.Now())
		if r.over = m.closed != nil || m.closing != nil; r.over {
			require.ErrorIs(t, err, archive.ErrClosed)
			return
		}
		require.NoError(t, err)
		m.newest = r
		return
	case steps:
		_, err = r.write.Finish(ctx, noon)
	default:
		half := len(r.rows) / 2
		page := r.rows[:half]
		if r.done == 3 {
			page = r.rows[half:]
		}
		if err = r.write.Put(ctx, page); err == nil {
			for _, row := range page {
				m.rows[row.Player] = row
			}
		}
	}
	if r.over = m.newest != r; r.over {
		require.ErrorIs(t, err, archive.ErrSuperseded)
		require.True(t, !r.closing || m.newest.closing, "a saving supersedes no closing")
		return
	}
	require.NoError(t, err)
	if r.done == steps && r.closing {
		m.closed, m.closing = r, nil
		clear(m.rows)
		for _, row := range r.rows {
			m.rows[row.Player] = row
		}
	}
}

// check holds the archive's day against the model.
func (m *dayModel) check(t require.TestingT, a *archive.Archive, d game.Date) {
	got := map[string]game.Result{}
	for _, row := range day(t, a, "daily", d) {
		got[row.Player] = row
	}
	require.Equal(t, m.rows, got)
	days, err := a.Days.Between(ctx, "daily", d, d)
	require.NoError(t, err)
	for _, kept := range days {
		require.Equal(t, m.closed != nil, kept.Complete)
		require.Equal(t, m.closed != nil && m.closing == nil, kept.AsClosed)
	}
	if m.closed != nil && m.closing == nil {
		require.Len(t, got, len(m.closed.rows))
		for _, row := range m.closed.rows {
			require.Equal(t, row, got[row.Player], "as the closing had it, groups included")
		}
	}
}

// newRun is a run that is given six players, a closing with their groups. Each
// run's scores are its own, so that a mixture shows.
func newRun(t require.TestingT, closing bool, number int) *aRun {
	r := &aRun{closing: closing}
	for i := range 6 {
		row := game.Result{Player: fmt.Sprint("p", i+number%2), Stored: float64(100*number + i)}
		if closing {
			row.Scopes = []game.ScopedResult{{Scope: scope(t, "group:x"), Stored: row.Stored}}
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// Two runs of one day in every order of their steps: whatever the order, once a
// closing has finished the day is as the closing had it, and stays so whatever saving
// finishes later; no saving ends a closing.
func TestEveryOrderOfTwoRunsLeavesTheDayAsItClosed(t *testing.T) {
	a := open(t)
	orders := 0
	for _, kinds := range [][2]bool{{true, false}, {true, true}, {false, false}} {
		for order := range 1 << (2 * steps) {
			first := 0
			for bit := range 2 * steps {
				first += order >> bit & 1
			}
			if first != steps {
				continue
			}
			orders++
			d := today.AddDays(orders)
			m := &dayModel{rows: map[string]game.Result{}}
			runs := [2]*aRun{newRun(t, kinds[0], 1), newRun(t, kinds[1], 2)}
			for bit := range 2 * steps {
				if r := runs[order>>bit&1]; !r.over {
					m.step(t, a, d, r)
					m.check(t, a, d)
				}
			}
		}
	}
	require.Equal(t, 3*70, orders)
}

// Any number of runs, some of which die, in any order.
func TestRunsLeaveWhatAModelSays(t *testing.T) {
	a := open(t)
	days := 0
	rapid.Check(t, func(t *rapid.T) {
		days++
		d := today.AddDays(days)
		m := &dayModel{rows: map[string]game.Result{}}
		var runs []*aRun
		for turn := range rapid.IntRange(1, 24).Draw(t, "turns") {
			n := rapid.IntRange(0, len(runs)).Draw(t, "run")
			if n == len(runs) {
				runs = append(runs, newRun(t, rapid.Bool().Draw(t, "closing"), turn+1))
			}
			if r := runs[n]; !r.over && r.done < steps {
				m.step(t, a, d, r)
				m.check(t, a, d)
			}
		}
		last := newRun(t, true, 99)
		for range steps {
			m.step(t, a, d, last)
		}
		m.check(t, a, d)
	})
}

// A closing that is cut off before it has removed who is gone has not finished: the
// day does not count as it closed, and savings stay out.
func TestAClosingThatCannotRemoveIsNotFinished(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	saved, err := a.Days.BeginSaving(ctx, "daily", today, "", time.Now())
	require.NoError(t, err)
	require.NoError(t, saved.Put(ctx, results(3, func(int) float64 { return 1 })))
	apply(t, url, `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut off'; END $$;
CREATE TRIGGER refuse BEFORE DELETE ON results FOR EACH ROW EXECUTE FUNCTION refuse()`)
	closing, err := a.Days.Begin(ctx, "daily", today, "")
	require.NoError(t, err)
	require.NoError(t, closing.Put(ctx, results(2, func(int) float64 { return 1 })))
	_, err = closing.Finish(ctx, noon)
	require.ErrorContains(t, err, "cut off")
	_, err = a.Days.BeginSaving(ctx, "daily", today, "", time.Now())
	require.ErrorIs(t, err, archive.ErrClosed)
	days, err := a.Days.Between(ctx, "daily", today, today)
	require.NoError(t, err)
	require.False(t, days[0].Complete || days[0].AsClosed)
	apply(t, url, `DROP TRIGGER refuse ON results`)
	report, err := closing.Finish(ctx, noon)
	require.NoError(t, err)
	require.Equal(t, archive.DayReport{Players: 2, Written: 0, Removed: 1, Complete: true}, report)
}
