package game_test

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// anyGame draws a game of one sound mode with bounds of every size, and the
// day to play on.
func anyGame(t *rapid.T, aggregates ...game.Aggregate) (*game.Game, *game.Mode, game.Date) {
	m := plainMode()
	m.XP.Weight = 0
	m.Order = rapid.SampledFrom([]game.Order{game.Desc, game.Asc}).Draw(t, "order")
	m.Aggregate = rapid.SampledFrom(aggregates).Draw(t, "aggregate")
	m.Policy = rapid.SampledFrom([]game.Policy{game.First, game.Best, game.Latest, game.Sum}).Draw(t, "policy")
	largest := int64(1) << rapid.IntRange(0, 24).Draw(t, "bits")
	m.Max = game.Score(rapid.Int64Range(-largest, largest).Draw(t, "max"))
	m.Min = game.Score(rapid.Int64Range(-largest, int64(m.Max)).Draw(t, "min"))
	m.DayMin, m.DayMax = m.Min, m.Max
	if m.Policy == game.Sum {
		m.DayMin, m.DayMax = game.Score(-largest), game.Score(largest)
	}
	d := description(m)
	d.Lives.Day = 9 * day
	d.Day = rapid.SampledFrom([]game.DayRule{game.UTC, game.Local}).Draw(t, "rule")
	d.Grace = time.Duration(rapid.Int64Range(0, int64(day)).Draw(t, "grace"))
	g := newGame(t, d)
	return g, g.Modes[0], anyDate().Draw(t, "date")
}

func anyScore(m *game.Mode) *rapid.Generator[game.Score] {
	return rapid.Map(rapid.Int64Range(int64(m.DayMin), int64(m.DayMax)), func(n int64) game.Score { return game.Score(n) })
}

// anyMoment draws moments of a day's window, its last included.
func anyMoment(g *game.Game, d game.Date) *rapid.Generator[time.Time] {
	opens, closes := g.Opens(d), g.Ends(game.Day.Of(d)).Add(g.Grace)
	return rapid.Map(rapid.Int64Range(0, int64(closes.Sub(opens))), func(ns int64) time.Time { return opens.Add(time.Duration(ns)) })
}

func TestStoredOrderIsScoreThenEarlier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m, d := anyGame(t, game.Sum, game.Last)
		scores, moments := anyScore(m), anyMoment(g, d)
		a, b := scores.Draw(t, "a"), scores.Draw(t, "b")
		if rapid.Bool().Draw(t, "tied") {
			b = a
		}
		atA := moments.Draw(t, "at a")
		atB := moments.Draw(t, "at b")
		if rapid.Bool().Draw(t, "close") {
			atB = atA.Add(m.Resolution())
		}
		tickA, tickB := m.Tick(g, d, atA), m.Tick(g, d, atB)

		want := cmp.Compare(a, b)
		if m.Order == game.Asc {
			want = -want
		}
		if want == 0 {
			want = cmp.Compare(tickB, tickA)
		}
		storedA, storedB := m.Encode(a, tickA), m.Encode(b, tickB)
		got := cmp.Compare(storedA, storedB)
		if m.Order == game.Asc {
			got = -got
		}
		require.Equal(t, want, got)
	})
}

func TestTicksFollowTimeWithinTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m, d := anyGame(t, game.Sum, game.Last)
		opens, closes := g.Opens(d), g.Ends(game.Day.Of(d)).Add(g.Grace)
		at := anyMoment(g, d).Draw(t, "at")
		later := min(at.Sub(opens)+m.Resolution(), closes.Sub(opens)-1)
		require.Positive(t, m.Resolution())
		require.LessOrEqual(t, m.Resolution(), time.Second)
		require.EqualValues(t, 1, m.Tick(g, d, opens))
		require.LessOrEqual(t, m.Tick(g, d, at), m.Tick(g, d, closes))
		if at.Sub(opens)+m.Resolution() == later {
			require.Equal(t, m.Tick(g, d, at)+1, m.Tick(g, d, opens.Add(later)))
		}

		require.Equal(t, m.Tick(g, d, opens), m.Tick(g, d, opens.AddDate(-1000, 0, 0)))
		require.Equal(t, m.Tick(g, d, closes), m.Tick(g, d, closes.AddDate(1000, 0, 0)))
	})
}

func TestFractionsStayAboveZeroAndBelowOneThirtySecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m, d := anyGame(t, game.Sum, game.Last)
		tick := m.Tick(g, d, anyMoment(g, d).Draw(t, "at"))
		for _, tick := range []int64{tick, math.MinInt64, 0, 1, math.MaxInt64} {
			f := m.Fraction(tick)
			require.Positive(t, f)
			require.Less(t, f, 1.0/32)
		}
		require.Equal(t, m.Fraction(1), m.Fraction(-5))
	})
}

func TestEncodeIsExactAndDecodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m, d := anyGame(t, game.Sum, game.Last)
		s := rapid.OneOf(anyScore(m), rapid.SampledFrom([]game.Score{m.DayMin, m.DayMax})).Draw(t, "score")
		tick := m.Tick(g, d, anyMoment(g, d).Draw(t, "at"))
		stored := m.Encode(s, tick)
		exact := new(big.Rat).Add(new(big.Rat).SetInt64(int64(s)), new(big.Rat).SetFloat64(m.Fraction(tick)))
		require.Zero(t, exact.Cmp(new(big.Rat).SetFloat64(stored)))
		require.Equal(t, s, m.Decode(stored))
		require.NotEqual(t, float64(s), stored)
	})
}

func TestSumsOfAMonthAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m, d := anyGame(t, game.Sum)
		days := rapid.IntRange(1, 31).Draw(t, "days")
		scores := rapid.OneOf(anyScore(m), rapid.SampledFrom([]game.Score{m.DayMin, m.DayMax}))
		sum, whole, exact := 0.0, game.Score(0), new(big.Rat)
		for i := range days {
			played := d.AddDays(i)
			s := scores.Draw(t, "score")
			tick := m.Tick(g, played, anyMoment(g, played).Draw(t, "at"))
			stored := m.Encode(s, tick)
			sum += stored
			whole += s
			exact.Add(exact, new(big.Rat).SetFloat64(stored))
		}
		require.Zero(t, exact.Cmp(new(big.Rat).SetFloat64(sum)))
		require.Equal(t, whole, m.Decode(sum))
	})
}

// Every sum of 31 days at the very ends of the range, where a bit too few
// would show first.
func TestSumsOfAMonthAreExactAtTheBounds(t *testing.T) {
	for _, order := range []game.Order{game.Desc, game.Asc} {
		for _, bound := range []game.Score{0, 1, 33, 1000, 1<<17 - 1, 1 << 17, 34_636_833} {
			m := plainMode()
			m.Order, m.XP.Weight, m.Min, m.Max = order, 0, -bound, bound
			_, mode := withMode(t, m)
			for _, s := range []game.Score{-bound, bound} {
				for _, tick := range []int64{1, math.MaxInt64} {
					stored := mode.Encode(s, tick)
					sum, exact := 0.0, new(big.Rat)
					for range 31 {
						sum += stored
						exact.Add(exact, new(big.Rat).SetFloat64(stored))
					}
					require.Zero(t, exact.Cmp(new(big.Rat).SetFloat64(sum)), "bound %d", bound)
					require.Equal(t, 31*s, mode.Decode(sum))
				}
			}
		}
	}
}

func TestSummedFractionsOrderTiesByWhoWasEarlierOnBalance(t *testing.T) {
	g, m := withMode(t, plainMode())
	d := date(t, "2026-11-16")
	at := func(d game.Date, hours int) float64 {
		return m.Encode(500, m.Tick(g, d, d.Midnight().Add(time.Duration(hours)*hour)))
	}
	early := at(d, 1) + at(d.AddDays(1), 9)
	late := at(d, 8) + at(d.AddDays(1), 3)
	require.Greater(t, early, late)
	require.Equal(t, m.Decode(early), m.Decode(late))
}

func TestResolutionFollowsTheBounds(t *testing.T) {
	for _, c := range []struct {
		aggregate game.Aggregate
		max       game.Score
		want      time.Duration
	}{
		{game.Sum, 1000, 10164 * time.Nanosecond},      // 15 bits, 33 left for 87,300 s
		{game.Max, 1000, 318 * time.Nanosecond},        // 10 bits, 38 left
		{game.Max, 1, time.Nanosecond},                 // 47 left, finer than a nanosecond
		{game.Max, 1<<31 - 1, 666_051_225},             // 31 bits, 17 left
		{game.Sum, (1<<31 - 1) / 31, 666_051_225},      // the same with a month's days
		{game.Max, 1 << 20, 650_436 * time.Nanosecond}, // 21 bits, 27 left
	} {
		m := plainMode()
		m.Aggregate, m.Max = c.aggregate, c.max
		_, mode := withMode(t, m)
		require.Equal(t, c.want, mode.Resolution(), "%s %d", c.aggregate, c.max)
	}
}

func TestFormatStoredReadsBack(t *testing.T) {
	require.Equal(t, "1000000", game.FormatStored(1e6))
	require.Equal(t, "0", game.FormatStored(0))
	require.Equal(t, "800.03125", game.FormatStored(800.03125))
	require.Equal(t, "3.552713678800501e-15", game.FormatStored(math.Ldexp(1, -48)))
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }).Draw(t, "stored")
		got, err := strconv.ParseFloat(game.FormatStored(f), 64)
		require.NoError(t, err)
		require.Equal(t, f, got)
	})
}

// When a stored entry was played is known to a tick, whatever its score.
func TestAStoredEntryTellsWhenItWasPlayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m, d := anyGame(t, game.Sum, game.Last)
		at, score := anyMoment(g, d).Draw(t, "at"), anyScore(m).Draw(t, "score")
		before := m.PlayedBefore(g, d, m.Encode(score, m.Tick(g, d, at)))
		require.False(t, before.Before(at), "%s is before %s", before, at)
		require.LessOrEqual(t, before.Sub(at), m.Resolution())
	})
}
