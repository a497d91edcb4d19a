package game_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// typing is a mode that ranks by words a minute, then by accuracy.
func typing() game.Mode {
	m := plainMode()
	m.Name, m.Policy, m.Aggregate, m.XP = "time_30", game.Best, game.Max, game.XPRule{}
	m.Max = 0
	m.Values = []game.Value{{Name: "wpm", Decimals: 2, Max: 35000}, {Name: "accuracy", Decimals: 2, Max: 10000}}
	return m
}

// anyComposite draws a mode of one to four values, each with an order of its own.
func anyComposite(t *rapid.T) (*game.Game, *game.Mode) {
	m := typing()
	orders := []game.Order{game.Desc, game.Asc}
	m.Order = rapid.SampledFrom(orders).Draw(t, "order")
	m.Policy = rapid.SampledFrom([]game.Policy{game.First, game.Best, game.Latest}).Draw(t, "policy")
	m.Aggregate = game.DefaultAggregate(game.Best, m.Order)
	m.Values = nil
	n := rapid.IntRange(1, 4).Draw(t, "values")
	for i := range n {
		low := rapid.Int64Range(-1000, 1000).Draw(t, "min")
		m.Values = append(m.Values, game.Value{
			Name: fmt.Sprintf("v%d", i), Decimals: rapid.IntRange(0, 3).Draw(t, "decimals"),
			Min: game.Score(low), Max: game.Score(low + rapid.Int64Range(0, 1<<(30/n)-1).Draw(t, "steps")),
			Order: rapid.SampledFrom(orders).Draw(t, "its order"),
		})
	}
	g := newGame(t, description(m))
	return g, g.Modes[0]
}

func anyValues(t *rapid.T, m *game.Mode, label string) []game.Score {
	row := make([]game.Score, len(m.Values))
	for i, v := range m.Values {
		row[i] = game.Score(rapid.Int64Range(int64(v.Min), int64(v.Max)).Draw(t, label))
	}
	return row
}

// better compares two rows value by value: above 0 where a leads.
func better(m *game.Mode, a, b []game.Score) int {
	for i, v := range m.Values {
		if a[i] != b[i] {
			if v.Order == game.Asc {
				return cmp.Compare(b[i], a[i])
			}
			return cmp.Compare(a[i], b[i])
		}
	}
	return 0
}

func TestTheOrderOfPackedScoresIsThatOfTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, m := anyComposite(t)
		a, b := anyValues(t, m, "a"), anyValues(t, m, "b")
		for i := range rapid.IntRange(0, len(a)).Draw(t, "alike") {
			b[i] = a[i]
		}
		packedA, err := m.Pack(a)
		require.NoError(t, err)
		packedB, err := m.Pack(b)
		require.NoError(t, err)
		want := better(m, a, b)
		if m.Order == game.Asc {
			want = -want
		}
		require.Equal(t, want, cmp.Compare(packedA, packedB))
		require.Equal(t, a, m.Unpack(packedA))
		require.True(t, packedA >= m.Min && packedA <= m.Max)
	})
}

func TestEveryPackedNumberIsOneRowOfValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m := anyComposite(t)
		packed := game.Score(rapid.Int64Range(0, int64(m.Max)).Draw(t, "packed"))
		again, err := m.Pack(m.Unpack(packed))
		require.NoError(t, err)
		require.Equal(t, packed, again)
		stored := m.Encode(packed, m.Tick(g, game.Date{}, g.Opens(game.Date{})))
		require.Equal(t, packed, m.Decode(stored))
	})
}

func TestPackedScoresHaveTheirBounds(t *testing.T) {
	_, m := withMode(t, typing())
	require.EqualValues(t, 0, m.Min)
	require.EqualValues(t, 35001*10001-1, m.Max)
	require.Equal(t, m.Max, m.DayMax)
	packed, err := m.Pack([]game.Score{9250, 9820})
	require.NoError(t, err)
	require.EqualValues(t, 9250*10001+9820, packed)
	require.Equal(t, `{"wpm":92.5,"accuracy":98.2}`, string(m.FormatValues(packed)))
	require.True(t, json.Valid(m.FormatValues(packed)))
	require.Equal(t, "92.5 wpm, 98.2 accuracy", game.ShowScore(m, packed))
	require.Equal(t, "wpm and accuracy", game.ValueNames(m))

	for _, wrong := range [][]game.Score{nil, {1}, {1, 2, 3}, {35001, 0}, {0, -1}} {
		_, err := m.Pack(wrong)
		require.Error(t, err, "%v", wrong)
	}
	_, plain := withMode(t, plainMode())
	require.Nil(t, plain.Unpack(3))
	require.Nil(t, plain.FormatValues(3))
	require.Equal(t, "3", game.ShowScore(plain, 3))
}

// Rules may have been changed since a score was stored.
func TestAScoreBeyondTheBoundsUnpacks(t *testing.T) {
	_, m := withMode(t, typing())
	require.Equal(t, []game.Score{40000, 5}, m.Unpack(40000*10001+5))
	require.Equal(t, []game.Score{0, 0}, m.Unpack(-7))
}

// A game that is made again from what was made is the same game.
func TestValuesAreCompletedOnce(t *testing.T) {
	g, _ := withMode(t, typing())
	require.Equal(t, g, newGame(t, *g))
}

func TestXPByATableOfTheFirstValue(t *testing.T) {
	table := []game.XPScore{{Score: 6000, XP: 10}, {Score: 8000, XP: 20}}
	fewest := []game.XPScore{{Score: 8000, XP: 10}, {Score: 6000, XP: 20}}
	for _, c := range []struct {
		name         string
		order, first game.Order
		table        []game.XPScore
		gives        map[game.Score]int64 // by the first value
	}{
		{"the highest leads", game.Desc, game.Desc, table, map[game.Score]int64{0: 1, 5999: 1, 6000: 11, 7999: 11, 8000: 21, 35000: 21}},
		{"the highest leads, packed upside down", game.Asc, game.Desc, table, map[game.Score]int64{0: 1, 5999: 1, 6000: 11, 7999: 11, 8000: 21, 35000: 21}},
		{"the lowest leads", game.Asc, game.Asc, fewest, map[game.Score]int64{0: 21, 6000: 21, 6001: 11, 8000: 11, 8001: 1}},
		{"the lowest leads, packed upside down", game.Desc, game.Asc, fewest, map[game.Score]int64{0: 21, 6000: 21, 6001: 11, 8000: 11, 8001: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := typing()
			m.Order, m.Values[0].Order = c.order, c.first
			m.Aggregate = game.DefaultAggregate(game.Best, c.order)
			m.XP = game.XPRule{Play: 1, Scores: c.table}
			_, made := withMode(t, m)
			for first, want := range c.gives {
				for _, second := range []game.Score{0, 4000, 10000} {
					packed, err := made.Pack([]game.Score{first, second})
					require.NoError(t, err)
					require.Equal(t, want, made.XPOf(packed), "%d, %d", first, second)
				}
			}
		})
	}
}

func TestValuesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*game.Mode)
		found  string
	}{
		{"added up in a day", func(m *game.Mode) { m.Policy = game.Sum },
			"modes.time_30.policy: a score of several values is one packed number, and the sum of two is not the sum of their values; use first, best or latest"},
		{"added up in a week", func(m *game.Mode) { m.Aggregate = game.Sum },
			"modes.time_30.aggregate: a score of several values is one packed number, and the sum of two days is not the sum of their values; use max or last, or leave it out for max"},
		{"added up in a team", func(m *game.Mode) { m.Scopes, m.Teams = []game.ScopeKind{game.Group}, game.TeamRule{Sum: true} },
			"modes.time_30.teams: a score of several values is one packed number, and the sum of two members' is not the sum of their values; leave it out"},
		{"weighed", func(m *game.Mode) { m.XP.Weight = 1000 },
			"modes.time_30.xp: a score of several values is one packed number, and XP for each of its points means nothing; use XP for each play or a table of the first value, as in xp: {play: 10, scores: {\"60\": 100}}"},
		{"too much room", func(m *game.Mode) { m.Values[1].Decimals, m.Values[1].Max = 4, 1_000_000 },
			"modes.time_30.score: wpm 15.1 bits, accuracy 19.9 bits: 35.0 bits together, of 31 that are left by the 22 of the time, which breaks ties; use fewer decimals, closer bounds or fewer values"},
		{"far too much room", func(m *game.Mode) { m.Values[0].Max, m.Values[1].Max = 1<<52, 1<<52 },
			"modes.time_30.score: wpm 52.0 bits, accuracy 52.0 bits: 104.0 bits together, of 31 that are left by the 22 of the time, which breaks ties; use fewer decimals, closer bounds or fewer values"},
		{"no name", func(m *game.Mode) { m.Values[0].Name = "WPM" },
			`modes.time_30.score[0].name: "WPM" is not the name of a value; use a letter a-z and up to 39 more of a-z, 0-9 and _`},
		{"one name for two", func(m *game.Mode) { m.Values[1].Name = "wpm" },
			"modes.time_30.score[1].name: there are two values wpm; use another name"},
		{"upside down", func(m *game.Mode) { m.Values[1].Min, m.Values[1].Max = 10, 5 },
			"modes.time_30.score[1].max: 0.05 is less than min, 0.1; use a larger one"},
		{"decimals", func(m *game.Mode) { m.Values[0].Decimals = 7 },
			"modes.time_30.score[0].decimals: 7 is out of range; use 0 to 6"},
		{"order", func(m *game.Mode) { m.Values[1].Order = "up" },
			`modes.time_30.score[1].order: "up" is not one of the choices; use desc or asc`},
		{"beyond doubles", func(m *game.Mode) { m.Values[0].Max = 1 << 60 },
			"modes.time_30.score[0].max: the bounds are beyond 2^53; use smaller ones"},
		{"too many", func(m *game.Mode) {
			m.Values = nil
			for i := range 9 {
				m.Values = append(m.Values, game.Value{Name: fmt.Sprintf("v%d", i), Max: 1})
			}
		}, "modes.time_30.score: there are 9 values; use at most 8"},
		{"XP out of reach", func(m *game.Mode) { m.XP.Scores = []game.XPScore{{Score: 35001, XP: 1}} },
			"modes.time_30.xp.scores.350.01: no day can come to it; use 0 to 350"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := typing()
			c.change(&m)
			_, err := game.New(description(m))
			require.EqualError(t, err, c.found)
		})
	}
}
