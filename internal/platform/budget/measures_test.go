package budget_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

var usual = game.Budget{Month: 30000, Caches: 80, Refresh: 90, Features: 100}

func TestMeasuresBeginAtTheirThresholds(t *testing.T) {
	for pace, want := range map[float64]string{0: "", 0.7999: "", 0.8: "caches", 0.9: "caches, refresh", 0.99: "caches, refresh", 1: "caches, refresh, features", budget.MostPace: "caches, refresh, features"} {
		require.Equal(t, want, budget.At(usual, pace).String(), pace)
	}
	otherOrder := game.Budget{Month: 1000, Features: 50, Caches: 200}
	require.Equal(t, "", budget.At(otherOrder, 0.49).String())
	require.Equal(t, "features", budget.At(otherOrder, 0.5).String())
	require.Equal(t, "caches, features", budget.At(otherOrder, budget.MostPace).String(), "refresh is off")
}

func TestNoMeasureEndsAsThePaceGrows(t *testing.T) {
	percent := rapid.IntRange(0, 1000)
	rapid.Check(t, func(rt *rapid.T) {
		b := game.Budget{Month: 1000, Caches: percent.Draw(rt, "caches"), Refresh: percent.Draw(rt, "refresh"), Features: percent.Draw(rt, "features")}
		pace := rapid.Float64Range(0, budget.MostPace)
		low, high := pace.Draw(rt, "low"), pace.Draw(rt, "high")
		at, then := budget.At(b, min(low, high)), budget.At(b, max(low, high))
		require.Subset(rt, then.Names(), at.Names())
		require.Equal(rt, len(at.Names()), at.Level())
	})
}

func TestMeasuresMakeThingsLastLonger(t *testing.T) {
	none, all := budget.Measures{}, budget.Measures{Caches: true, Refresh: true, Features: true}
	require.Equal(t, time.Minute, none.CacheFor(time.Minute))
	require.Equal(t, 5*time.Minute, all.CacheFor(time.Minute))
	require.Zero(t, all.CacheFor(0), "a game without caches has none to make longer")
	for every, want := range map[time.Duration]time.Duration{5 * time.Second: time.Minute, 10 * time.Minute: time.Hour, 2 * time.Hour: 2 * time.Hour} {
		require.Equal(t, every, none.RefreshEvery(every))
		require.Equal(t, want, all.RefreshEvery(every))
	}
}

func ExampleAt() {
	framedle := game.Budget{Month: 500_000, Caches: 80, Refresh: 90, Features: 100}
	spent := budget.Spent{Before: 320_000, Today: 11_000}
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	allowance := budget.Allowance(framedle.Month, spent, noon)
	pace := budget.Pace(framedle.Month, spent, noon)
	fmt.Printf("today may cost %.0f, by now %.0f; pace %.1f%%: %s\n", allowance, budget.ByNow(allowance, noon), 100*pace, budget.At(framedle, pace))
	// Output: today may cost 18000, by now 11250; pace 97.8%: caches, refresh
}
