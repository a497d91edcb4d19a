package budget_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

var (
	noon  = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	today = game.DateOf(noon)
)

// watched is a guard with its clock, and what it has told.
type watched struct {
	*budget.Guard
	now     time.Time
	changes []budget.Change
}

func watch(b game.Budget) *watched {
	w := &watched{now: noon}
	w.Guard = budget.New(b, func() time.Time { return w.now }, func(c budget.Change) { w.changes = append(w.changes, c) })
	return w
}

func TestWithoutABudgetThereAreNoMeasures(t *testing.T) {
	g := budget.New(game.Budget{}, time.Now, nil)
	require.Nil(t, g)
	require.Zero(t, g.Measures())
}

// 1,000 are a day's allowance, and 625 may be spent by noon.
func TestMeasuresComeInOrderAndGoAgain(t *testing.T) {
	w := watch(usual)
	var seen []string
	for _, spent := range []int64{0, 499, 500, 563, 624, 625, 9999} {
		w.LearnDay(today, spent)
		seen = append(seen, w.Measures().String())
	}
	require.Equal(t, []string{"", "", "caches", "caches, refresh", "caches, refresh", "caches, refresh, features", "caches, refresh, features"}, seen)
	require.Len(t, w.changes, 3, "each change is told once")
	require.Equal(t, budget.Change{
		From: budget.Measures{Caches: true, Refresh: true}, To: budget.Measures{Caches: true, Refresh: true, Features: true},
		Spent: budget.Spent{Today: 625}, Pace: 1,
	}, w.changes[2])

	w.now = noon.Add(12 * time.Hour)
	require.Zero(t, w.Measures(), "the next day begins with its own allowance, though a smaller one")
	require.Equal(t, budget.Spent{Before: 9999}, w.changes[3].Spent)
}

func TestMeasuresGoAsTheDayGoesOn(t *testing.T) {
	w := watch(usual)
	w.LearnDay(today, 800)
	require.Equal(t, 3, w.Measures().Level())
	w.now = noon.Add(5*time.Minute - time.Second)
	require.Equal(t, 3, w.Measures().Level())
	levels := map[int]bool{}
	for w.now = noon; game.DateOf(w.now) == today; w.now = w.now.Add(time.Minute) {
		levels[w.Measures().Level()] = true
	}
	require.Equal(t, map[int]bool{3: true, 2: true, 1: true}, levels)
	require.Len(t, w.changes, 3)
}

func TestMeasuresAreKeptForFiveMinutesUnlessSomethingIsLearned(t *testing.T) {
	w := watch(usual)
	w.LearnDay(today, 500)
	require.Equal(t, 1, w.Measures().Level())
	w.now = noon.Add(4 * time.Minute)
	require.Equal(t, 1, w.Measures().Level(), "the pace is 79.7% by now")
	w.now = noon.Add(5 * time.Minute)
	require.Zero(t, w.Measures())
}

func TestAMonthThatIsSpentLivesPlainlyToItsEnd(t *testing.T) {
	w := watch(usual)
	w.LearnMonth(today.AddDays(9), map[game.Date]int64{today.AddDays(3): 20000, today.AddDays(7): 10000, today.AddDays(-1): 5})
	w.now = noon.AddDate(0, 0, 9)
	require.Equal(t, 3, w.Measures().Level())
	require.True(t, w.Knows(today.AddDays(9)))
	require.False(t, w.Knows(today.AddDays(10)))
	w.now = time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
	require.Equal(t, 3, w.Measures().Level())
	w.now = w.now.Add(time.Second)
	require.Zero(t, w.Measures(), "a month begins anew")
}

func TestWhatIsOlderChangesNothing(t *testing.T) {
	w := watch(usual)
	w.LearnDay(today, 700)
	w.LearnDay(today, 100)
	w.LearnMonth(today, map[game.Date]int64{today: 200})
	require.Equal(t, 3, w.Measures().Level())
	require.Len(t, w.changes, 1)
}

func TestOneGuardServesManyCallers(t *testing.T) {
	var mu sync.Mutex
	changes := 0
	g := budget.New(usual, func() time.Time { return noon }, func(budget.Change) { mu.Lock(); defer mu.Unlock(); changes++ })
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range int64(200) {
				g.LearnDay(today, 500+n/4)
				_ = g.Measures()
				g.LearnMonth(today, map[game.Date]int64{today: int64(i)})
			}
		})
	}
	all.Wait()
	require.Equal(t, 1, g.Measures().Level())
	require.Equal(t, 1, changes)
}
