package archive_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Combined days equal a plain model for every aggregate and scope, with tie
// fractions and without, over months.
func TestTotalsEqualAModel(t *testing.T) {
	a := open(t)
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		m := drawMode(t, number)
		first := game.NewDate(2026, 11, 27)
		h := drawHistory(t, m, first, 5)
		h.keep(t, a, m, first, 5)
		from := first.AddDays(rapid.IntRange(-2, 5).Draw(t, "from"))
		q := archive.Query{
			Mode: m, From: from, To: from.AddDays(rapid.IntRange(-1, 6).Draw(t, "days")),
			Scope:      scope(t, rapid.SampledFrom([]string{"global", "country:BR", "group:x"}).Draw(t, "scope")),
			TrueScores: rapid.Bool().Draw(t, "true scores"),
		}
		require.Equal(t, h.combined(m, q.From, q.To, q.Scope, q.TrueScores), stored(t, func(each func([]game.Entry) error) error {
			return a.Results.Totals(ctx, q, each)
		}))
	})
}

func stored(t require.TestingT, read func(each func([]game.Entry) error) error) map[string]float64 {
	all := map[string]float64{}
	require.NoError(t, read(func(entries []game.Entry) error {
		for _, e := range entries {
			require.Equal(t, game.Score(math.Floor(e.Stored)), e.Score)
			require.NotContains(t, all, e.Player)
			all[e.Player] = e.Stored
		}
		return nil
	}))
	return all
}

// drawXP draws what a mode gives, and the same as a formula.
func drawXP(t *rapid.T, o game.Order) (game.XPRule, func(score, unit int64) int64) {
	weight, play := rapid.Int64Range(1, 2000).Draw(t, "weight"), rapid.Int64Range(0, 20).Draw(t, "play")
	rule := game.XPRule{Weight: weight, Play: play}
	thresholds := map[int64]int64{} // with what each gives
	for _, at := range rapid.SliceOfN(rapid.Int64Range(0, 1000), 0, 4).Draw(t, "thresholds") {
		thresholds[at] = 1 + at
		if o == game.Asc {
			thresholds[at] = 1001 - at
		}
	}
	for at, xp := range thresholds {
		rule.Scores = append(rule.Scores, game.XPScore{Score: game.Score(at), XP: xp})
	}
	if o == game.Asc {
		rule.Weight, weight = 0, 0
	}
	return rule, func(score, unit int64) int64 {
		most := int64(0)
		for at, xp := range thresholds {
			if o == game.Desc && score >= at || o == game.Asc && score <= at {
				most = max(most, xp)
			}
		}
		return max(0, score)*weight/(1000*unit) + play + most
	}
}

// XP is floor(true score × weight), and what a play and a score give, of each day
// and mode, in whole numbers.
func TestXPEqualsAModel(t *testing.T) {
	a := open(t)
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		first := game.NewDate(2027, 1, 1).AddDays(4 * round)
		want := map[string]float64{}
		var modes []*game.Mode
		for i, name := range []string{"plain", "scaled", "none"} {
			order := rapid.SampledFrom([]game.Order{game.Desc, game.Asc}).Draw(t, "order")
			rule, gives := drawXP(t, order)
			m := mode(t, name, fields{order: order, decimals: rapid.IntRange(0, 2).Draw(t, "decimals"), xp: rule})
			if i == 2 {
				m = mode(t, name, fields{})
			}
			modes = append(modes, m)
			unit := [...]int64{1, 10, 100}[m.Decimals]
			for n := range 3 {
				var day []game.Result
				for _, player := range players[:3] {
					score := rapid.OneOf(rapid.Int64Range(-100, 1000), rapid.Int64Range(0, 1_000_000)).Draw(t, "score")
					day = append(day, game.Result{Player: player, Stored: float64(score) + 1.0/64})
					if m.GivesXP() {
						want[player] += float64(gives(score, unit))
					}
				}
				put(t, a, m.Name, first.AddDays(n), day...)
			}
		}
		require.Equal(t, want, stored(t, func(each func([]game.Entry) error) error {
			return a.Results.XPTotals(ctx, modes, first, first.AddDays(2), each)
		}))
	})
}

// A table of XP goes by the first of a mode's values, whichever way it is packed.
func TestXPOfSeveralValuesIsThatOfTheFirst(t *testing.T) {
	a := open(t)
	first := game.NewDate(2027, 2, 1)
	for i, orders := range [][2]game.Order{{game.Desc, game.Desc}, {game.Desc, game.Asc}, {game.Asc, game.Asc}, {game.Asc, game.Desc}} {
		rule := game.XPRule{Play: 1, Scores: []game.XPScore{{Score: 6000, XP: 20}, {Score: 8000, XP: 10}}}
		reached := func(n game.Score) bool { return n <= 6000 }
		if orders[1] == game.Desc {
			rule.Scores = []game.XPScore{{Score: 6000, XP: 20}}
			reached = func(n game.Score) bool { return n >= 6000 }
		}
		m := mode(t, "typed", fields{order: orders[0], aggregate: game.DefaultAggregate(game.Best, orders[0]), xp: rule, values: []game.Value{
			{Name: "wpm", Decimals: 2, Max: 35000, Order: orders[1]}, {Name: "accuracy", Decimals: 2, Max: 10000},
		}})
		want := map[string]float64{}
		var day []game.Result
		for n, of := range [][]game.Score{{5999, 10000}, {6000, 0}, {6000, 10000}, {6001, 0}, {7999, 5}, {8000, 10000}, {8001, 0}} {
			packed, err := m.Pack(of)
			require.NoError(t, err)
			player := fmt.Sprint("p", n)
			day = append(day, game.Result{Player: player, Stored: float64(packed) + 1.0/64})
			switch want[player] = 1; {
			case reached(of[0]):
				want[player] = 21
			case orders[1] == game.Asc && of[0] <= 8000:
				want[player] = 11
			}
		}
		put(t, a, m.Name, first.AddDays(i), day...)
		require.Equal(t, want, stored(t, func(each func([]game.Entry) error) error {
			return a.Results.XPTotals(ctx, []*game.Mode{m}, first.AddDays(i), first.AddDays(i), each)
		}), orders)
	}
}

func TestWhenPlayersPlayed(t *testing.T) {
	a := open(t)
	at := func(n int) game.Date { return game.NewDate(2026, 12, 30).AddDays(n) }
	one := func(player string) game.Result { return game.Result{Player: player, Stored: 1} }
	put(t, a, "daily", at(0), one("p"), one("q"))
	put(t, a, "clip", at(0), one("p"))
	put(t, a, "clip", at(2), one("p"), one("Q"))
	put(t, a, "daily", at(3), one("p"))

	read := func(from, to game.Date) (all []game.Played) {
		require.NoError(t, a.Results.PlayedDates(ctx, from, to, func(some []game.Played) error {
			all = append(all, some...)
			return nil
		}))
		return all
	}
	require.Equal(t, []game.Played{
		{Player: "Q", Dates: []game.Date{at(2)}},
		{Player: "p", Dates: []game.Date{at(0), at(2), at(3)}},
		{Player: "q", Dates: []game.Date{at(0)}},
	}, read(at(0), at(3)))
	require.Equal(t, []game.Played{{Player: "p", Dates: []game.Date{at(3)}}}, read(at(3), at(9)))

	mine, err := a.Results.Of(ctx, "p", at(0), at(2))
	require.NoError(t, err)
	require.Equal(t, []game.DayResult{
		{Mode: "clip", Date: at(0), Result: one("p")}, {Mode: "daily", Date: at(0), Result: one("p")}, {Mode: "clip", Date: at(2), Result: one("p")},
	}, mine)
}

func TestScopesThatAModeHasHad(t *testing.T) {
	a := open(t)
	on := func(player string, names ...string) game.Result {
		r := game.Result{Player: player, Stored: 1}
		for _, name := range names {
			r.Scopes = append(r.Scopes, game.ScopedResult{Scope: scope(t, name), Stored: 1})
		}
		return r
	}
	put(t, a, "daily", today, on("p", "country:BR", "group:x"), on("q", "country:BR"), on("r"))
	put(t, a, "daily", today.AddDays(1), on("p", "country:DE"))
	found, err := a.Results.Scopes(ctx, "daily", today, today)
	require.NoError(t, err)
	var names []string
	for _, s := range found {
		names = append(names, s.String())
	}
	require.Equal(t, "country:BR group:x", strings.Join(slices.Sorted(slices.Values(names)), " "))
}
