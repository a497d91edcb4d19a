package demo

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/game"
)

var modes = []client.Mode{
	{Name: "a", Policy: "first", Order: "desc", Max: 1000, Details: true},
	{Name: "b", Policy: "best", Order: "desc", Max: 100_000},
	{Name: "c", Policy: "best", Order: "asc", Min: 9.5, Max: 600, Decimals: 2},
	{Name: "d", Policy: "first", Order: "desc", Max: 3},
	{Name: "e", Policy: "first", Order: "desc", Min: -0.5, Max: 0.5, Decimals: 1},
}

func TestTheSameSeedIsTheSameCrowdAndDay(t *testing.T) {
	people := crowd(3, 400)
	require.Equal(t, people, crowd(3, 400))
	require.NotEqual(t, people, crowd(4, 400))
	day := arrivals(3, "2026-11-21", people, modes)
	require.Equal(t, day, arrivals(3, "2026-11-21", people, modes))
	require.NotEqual(t, day, arrivals(3, "2026-11-22", people, modes))
	require.Equal(t, submission(randomOf(3, "x"), people[5], modes[0], "2026-11-21"), submission(randomOf(3, "x"), people[5], modes[0], "2026-11-21"))
}

func TestEverybodyMayPlay(t *testing.T) {
	ids := map[string]bool{}
	for _, who := range crowd(3, 1000) {
		require.NoError(t, game.ValidPlayer(who.ID))
		require.False(t, ids[who.ID], who.ID)
		ids[who.ID] = true
		require.True(t, utf8.ValidString(who.Name))
		require.Regexp(t, regexp.MustCompile(`^[A-Z]{2}$`), who.Country)
	}
}

// The morning has far more plays than the night, and all come in order.
func TestADayHasItsCurve(t *testing.T) {
	all := arrivals(3, "2026-11-21", crowd(3, 500), modes)
	morning, night := 0, 0
	for i, a := range all {
		require.GreaterOrEqual(t, a.at, 0.0)
		require.Less(t, a.at, 1.0)
		if i > 0 {
			require.GreaterOrEqual(t, a.at, all[i-1].at)
		}
		switch {
		case a.at > 0.25 && a.at < 0.42:
			morning++
		case a.at < 0.17:
			night++
		}
	}
	require.Greater(t, morning, 3*night)
}

func TestScoresAreWithinTheirBounds(t *testing.T) {
	for _, m := range modes {
		seen := map[float64]bool{}
		for q := 0.0; q <= 1; q += 0.001 {
			s := score(m, q)
			require.GreaterOrEqual(t, s, m.Min, m.Name)
			require.LessOrEqual(t, s, m.Max, m.Name)
			seen[s] = true
		}
		require.Greater(t, len(seen), 3, m.Name)
		best := m.Max
		if m.Order == "asc" {
			best = m.Min
		}
		if m.Max-m.Min <= longest {
			require.InDelta(t, best, score(m, 1), 1e-9, m.Name)
		}
	}
}
