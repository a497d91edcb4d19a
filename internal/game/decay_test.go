package game_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// decayMonday is a Monday that steps of every length begin on.
var decayMonday = game.NewDate(2024, time.January, 1)

// exactly is what is left of scores on a day: each is less by the factor on every day
// since that begins a step. Days are counted from a first one.
func exactly(r *game.DecayRule, first game.Date, scores map[int]int64, today int) *big.Rat {
	total := new(big.Rat)
	for day, score := range scores {
		left := new(big.Rat).SetInt64(score)
		for passed := day + 1; passed <= today; passed++ {
			if first.AddDays(passed).DaysSince(decayMonday)%r.Every == 0 {
				left.Mul(left, big.NewRat(r.Factor, game.DecayUnit))
			}
		}
		total.Add(total, left)
	}
	return total
}

// Whatever is played over years, and however fast it decays: what a board shows is within a
// 1024th of the exact sum.
func TestDecayedTotalsAreWithinTheirGrainOfTheExactOnes(t *testing.T) {
	first := game.NewDate(2026, time.November, 18)
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.IntRange(1, 30).Draw(t, "every")
		least := max(500_000, int64(math.Ceil(math.Pow(0.9, float64(every))*game.DecayUnit)))
		r := &game.DecayRule{Factor: rapid.Int64Range(least, 995_000).Draw(t, "factor"), Every: every}
		days := float64(every) * game.DecayUnit / float64(game.DecayUnit-r.Factor)
		most := int64(min((1<<40)/days/days, 1<<31))
		length := rapid.IntRange(0, 200).Draw(t, "days")
		scores, sum := map[int]int64{}, 0.0
		for day := range length + 1 {
			if rapid.IntRange(0, 3).Draw(t, "plays") > 0 {
				scores[day] = rapid.Int64Range(0, most).Draw(t, "score")
				sum += float64(scores[day]) * r.Weight(first.AddDays(day))
			}
		}
		today := length + rapid.IntRange(0, 40).Draw(t, "later")
		shown := r.Shown(sum * r.Unit(first.AddDays(today)))
		off := new(big.Rat).Sub(new(big.Rat).SetFloat64(shown), exactly(r, first, scores, today))
		require.LessOrEqual(t, off.Abs(off).Cmp(big.NewRat(1, 1024)), 0, "shown %v, off by %s", shown, off.FloatString(9))
	})
}

// A whole total is shown whole, though no product of its factors is whole: 95 % of 100 are 95,
// whichever days these are.
func TestWholeTotalsAreShownWhole(t *testing.T) {
	r := &game.DecayRule{Factor: 950_000, Every: 1}
	for d := game.NewDate(2024, time.January, 1); d.Before(game.NewDate(2090, time.January, 1)); d = d.AddDays(97) {
		sum := 100*r.Weight(d) + 400*r.Weight(d.AddDays(2))
		require.Equal(t, 90.25+400, r.Shown(sum*r.Unit(d.AddDays(2))), d)
		require.Equal(t, 95.0, r.Shown(100*r.Weight(d)*r.Unit(d.AddDays(1))), d)
		require.Equal(t, 100.0, r.Shown(100*r.Weight(d)*r.Unit(d)), d)
	}
}

func TestDecayGoesOnByWholeSteps(t *testing.T) {
	r := &game.DecayRule{Factor: 500_000, Every: 7, Floor: 3}
	monday := game.NewDate(2026, time.November, 16)
	left := func(after int) float64 { return r.Shown(64 * r.Weight(monday) * r.Unit(monday.AddDays(after))) }
	for after, want := range map[int]float64{0: 64, 6: 64, 7: 32, 13: 32, 14: 16, 28: 4, 35: 3, 70: 3} {
		require.Equal(t, want, left(after), after)
	}
	require.Equal(t, 64.0, r.Shown(64*r.Weight(monday.AddDays(6))*r.Unit(monday.AddDays(6))))
	require.Equal(t, 32.0, r.Shown(64*r.Weight(monday.AddDays(-1))*r.Unit(monday)))
	sunday := game.NewDate(2023, time.December, 31) // before the first day that is counted from
	require.Equal(t, 32.0, r.Shown(64*r.Weight(sunday)*r.Unit(sunday.AddDays(1))))
	require.Equal(t, 64.0, r.Shown(64*r.Weight(sunday.AddDays(-6))*r.Unit(sunday)))
}

// Weights have a place in a float64 for as long as the slowest and the fastest decay are
// promised to.
func TestWeightsLastForDecades(t *testing.T) {
	for factor, until := range map[int64]int{900_000: 2049, 950_000: 2075, 990_000: 2200} {
		r := &game.DecayRule{Factor: factor, Every: 1}
		d := game.NewDate(until, time.January, 1)
		require.Equal(t, 1000.0, r.Shown(1000*r.Weight(d)*r.Unit(d)), factor)
		require.Less(t, 1<<40*r.Weight(d), 0x1p+511, factor)
		require.Zero(t, r.Shown(1e9*r.Weight(game.NewDate(1990, time.January, 1))*r.Unit(d)), factor)
	}
}

// A sum that was kept by another rule, or by none, is shown as a number all the same.
func TestWhatWasWeighedOtherwiseIsANumber(t *testing.T) {
	r := &game.DecayRule{Factor: 950_000, Every: 1}
	for _, sum := range []float64{0, 1, 1 << 40, 0x1p1000} {
		for _, d := range []game.Date{game.NewDate(2024, time.January, 1), game.NewDate(2026, time.November, 18), game.NewDate(2049, time.January, 1)} {
			shown := r.Shown(sum * r.Unit(d))
			require.True(t, shown >= 0 && shown <= 1<<43, "%g on %s is shown as %g", sum, d, shown)
		}
	}
}

func TestDecayIsOfAllTimeAlone(t *testing.T) {
	m := &game.Mode{Name: "rated", Decay: &game.DecayRule{Factor: 950_000, Every: 1}}
	d := game.NewDate(2026, time.November, 16)
	for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month, game.Last7, game.AllTime} {
		require.Equal(t, kind == game.AllTime, game.BoardOf(m, kind.Of(d), game.Scope{}).Decays(), kind)
	}
	require.False(t, game.BoardOf(&game.Mode{Name: "plain"}, game.AllTime.Of(d), game.Scope{}).Decays())
}
