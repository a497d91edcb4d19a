package model

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

var tuesday = game.NewDate(2026, time.December, 29) // of 2026-W53

// modelOf returns a model of one mode and three players, called a, b and c.
func modelOf(m game.Mode) *Model {
	m.Name, m.Max, m.DayMax = "m", 60_000_000, 60_000_000
	m.DayMin = m.Min
	return New([]Rule{NewRule(&m, 15*time.Minute)}, []string{"a", "b", "c"})
}

// plays submits a score on a day counted from tuesday, at a minute of that day.
func (m *Model) plays(player int32, date, minute int, score int64) (status string, current int64) {
	d := tuesday.AddDays(date)
	tick := m.Rules[0].TickOf(d, d.Midnight().Add(time.Duration(minute)*time.Minute))
	return m.Submit(Play{Player: player, Date: d, Score: score, Tick: tick})
}

// shows writes a board in one line: rank, player and score of each row.
func shows(m *Model, kind game.PeriodKind) string {
	text := ""
	for _, row := range m.Rows(Board{Period: kind.Of(tuesday)}) {
		text += fmt.Sprintf("%d%s=%d ", row.Rank, m.IDs[row.Player], row.Score)
	}
	return text
}

func TestPoliciesDecideWhichPlayStands(t *testing.T) {
	for name, test := range map[string]struct {
		policy   game.Policy
		order    game.Order
		statuses [3]string // of 5, 7 and 3
		stands   int64
	}{
		"first":        {game.First, game.Desc, [3]string{"accepted", "kept", "kept"}, 5},
		"best":         {game.Best, game.Desc, [3]string{"accepted", "improved", "kept"}, 7},
		"best, lowest": {game.Best, game.Asc, [3]string{"accepted", "kept", "improved"}, 3},
		"latest":       {game.Latest, game.Desc, [3]string{"accepted", "improved", "improved"}, 3},
		"sum":          {game.Sum, game.Desc, [3]string{"accepted", "improved", "improved"}, 15},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelOf(game.Mode{Policy: test.policy, Order: test.order, Aggregate: game.Sum})
			for i, score := range []int64{5, 7, 3} {
				status, _ := m.plays(0, 0, i, score)
				require.Equal(t, test.statuses[i], status, "play %d", i+1)
			}
			require.Equal(t, test.stands, m.Rows(Board{Period: game.Day.Of(tuesday)})[0].Score)
		})
	}
}

func TestATotalThatLeavesItsBoundsChangesNothing(t *testing.T) {
	m := modelOf(game.Mode{Policy: game.Sum, Order: game.Desc, Aggregate: game.Sum})
	m.plays(0, 0, 0, 50_000_000)
	status, current := m.plays(0, 0, 1, 10_000_001)
	require.Empty(t, status)
	require.EqualValues(t, 50_000_000, current)
	require.Equal(t, "1a=50000000 ", shows(m, game.Day))
}

func TestPeriodsCombineDays(t *testing.T) {
	for _, test := range []struct {
		order     game.Order
		aggregate game.Aggregate
		week      string
	}{
		{game.Desc, game.Sum, "1a=12 2b=9 "},
		{game.Desc, game.Max, "1b=9 2a=8 "},
		{game.Desc, game.Last, "1b=9 2a=4 "},
		{game.Asc, game.Sum, "1b=9 2a=12 "},
		{game.Asc, game.Min, "1a=4 2b=9 "},
		{game.Asc, game.Last, "1a=4 2b=9 "},
	} {
		t.Run(fmt.Sprint(test.order, test.aggregate), func(t *testing.T) {
			m := modelOf(game.Mode{Policy: game.First, Order: test.order, Aggregate: test.aggregate})
			m.plays(0, 0, 0, 8)
			m.plays(0, 3, 0, 4) // 1 January, of the same week
			m.plays(1, 1, 0, 9)
			m.plays(2, -2, 0, 1) // Sunday, of the week before
			require.Equal(t, test.week, shows(m, game.Week))
		})
	}
}

func TestEqualScores(t *testing.T) {
	for _, test := range []struct {
		order game.Order
		ties  game.TieStyle
		day   string
	}{
		{game.Desc, game.Earliest, "1b=5 2c=5 3a=5 "},
		{game.Desc, game.Shared, "1b=5 1c=5 1a=5 "},
		{game.Asc, game.Earliest, "1b=5 2a=5 3c=5 "},
	} {
		t.Run(fmt.Sprint(test.order, test.ties), func(t *testing.T) {
			m := modelOf(game.Mode{Policy: game.First, Order: test.order, Ties: test.ties, Aggregate: game.Sum})
			m.plays(0, 0, 9, 5)
			m.plays(1, 0, 3, 5)
			m.plays(2, 0, 9, 5) // as late as a: the ids decide, in descending order on a desc board
			require.Equal(t, test.day, shows(m, game.Day))
		})
	}
}

func TestXPIsRoundedDownForEachDay(t *testing.T) {
	m := modelOf(game.Mode{Policy: game.First, Order: game.Desc, Aggregate: game.Sum, XP: game.XPRule{Weight: 700}, Decimals: 1, Min: -50})
	m.plays(0, 0, 0, 55) // 5.5 × 0.7 = 3.85
	m.plays(0, 1, 0, 55)
	m.plays(1, 0, 0, -1) // nothing
	rows := m.Rows(Board{Mode: XP})
	require.EqualValues(t, []int64{6, 0}, []int64{rows[0].Score, rows[1].Score})
	require.EqualValues(t, 2, Level(50, 449))
	require.EqualValues(t, 3, Level(50, 450))
}

func TestStreaks(t *testing.T) {
	rule := game.StreakRule{Freezes: 2, Every: 2}
	for name, test := range map[string]struct {
		days  []int
		today int
		want  [3]int // current, best, freezes
	}{
		"nobody played":              {nil, 3, [3]int{0, 0, 0}},
		"today is not over":          {[]int{1, 2}, 3, [3]int{2, 2, 1}},
		"a freeze covers a day":      {[]int{1, 2, 4}, 4, [3]int{3, 3, 0}},
		"two missed, one freeze":     {[]int{1, 2, 5}, 5, [3]int{1, 2, 0}},
		"no more than two are held":  {[]int{1, 2, 3, 4, 5, 6}, 6, [3]int{6, 6, 2}},
		"missed until now":           {[]int{1, 2, 3, 4}, 7, [3]int{4, 4, 0}},
		"missed for too long by now": {[]int{1, 2, 3, 4}, 8, [3]int{0, 4, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var dates []game.Date
			for _, n := range test.days {
				dates = append(dates, tuesday.AddDays(n))
			}
			s := StreakOf(rule, dates, tuesday.AddDays(test.today))
			require.Equal(t, test.want, [3]int{s.Current, s.Best, s.Freezes})
		})
	}
}

func TestScoresAreReadAndWrittenExactly(t *testing.T) {
	for _, test := range []struct {
		text     string
		decimals int
		scaled   int64
	}{{"12.34", 2, 1234}, {"12.3", 2, 1230}, {"12", 2, 1200}, {"-0.5", 1, -5}, {"-0.05", 2, -5}, {"0", 0, 0}, {"600000", 2, 60_000_000}} {
		n, ok := Scaled(test.text, test.decimals)
		require.True(t, ok)
		require.Equal(t, test.scaled, n, test.text)
		require.Equal(t, test.text, Written(n, test.decimals))
	}
	_, ok := Scaled("1.234", 2)
	require.False(t, ok)
}
