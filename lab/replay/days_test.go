package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/replay"
)

func ExampleDistribute() {
	fmt.Println(replay.Distribute(2000, [replay.Tries]int{1, 6, 22, 34, 23, 11, 4}))
	// Output: [20 119 436 673 455 218 79]
}

const header = "date,puzzle,reported_results,hard_mode,pct_1,pct_2,pct_3,pct_4,pct_5,pct_6,pct_fail\n"

func TestDaysAreReadByTheirHeader(t *testing.T) {
	days, err := replay.ParseDays(strings.NewReader("pct_fail,pct_1,pct_2,pct_3,pct_4,pct_5,pct_6,reported_results,date,note\n" +
		"1,3,13,32,29,16,7,300,2024-02-29,\"a, b\"\n0,1,0,0,0,0,0,301,2024-03-01,\n2,1,0,0,0,0,0,301,2024-03-02,\n"))
	require.NoError(t, err)
	require.Len(t, days, 3)
	require.Equal(t, replay.Day{Date: game.NewDate(2024, 2, 29), Players: 300, Shares: [replay.Tries]int{3, 13, 32, 29, 16, 7, 1}}, days[0])
	require.Equal(t, days[1], replay.Busiest(days))
	found, ok := replay.OnDate(days, game.NewDate(2024, 3, 2))
	require.True(t, ok)
	require.Equal(t, days[2], found)
	_, ok = replay.OnDate(days, game.NewDate(2024, 3, 3))
	require.False(t, ok)
}

func TestWrongDaysAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"nothing":            {"", "header"},
		"a column is absent": {"date,reported_results,pct_1\n", "lacks the column pct_2"},
		"no day":             {header, "no day"},
		"a date that is not": {header + "2023-02-29,1,5,0,1,1,1,1,1,1,1\n", "line 2: "},
		"no players":         {header + "2023-02-28,1,0,0,1,1,1,1,1,1,1\n", "reported_results: "},
		"too many players":   {header + "2023-02-28,1,10000001,0,1,1,1,1,1,1,1\n", "reported_results: "},
		"a share of 101":     {header + "2023-02-28,1,5,0,101,1,1,1,1,1,1\n", "pct_1: "},
		"a share below 0":    {header + "2023-02-28,1,5,0,1,1,1,1,1,1,-1\n", "pct_fail: "},
		"shares of nothing":  {header + "2023-02-28,1,5,0,0,0,0,0,0,0,0\n", "all shares are 0"},
		"a day twice":        {header + "2023-02-28,1,5,0,1,1,1,1,1,1,1\n2023-02-28,1,5,0,1,1,1,1,1,1,1\n", "line 3: 2023-02-28 is there twice"},
		"a short line":       {header + "2023-02-28,1\n", "line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := replay.ParseDays(strings.NewReader(test.text))
			require.ErrorContains(t, err, test.says)
		})
	}
}

func FuzzParseDays(f *testing.F) {
	f.Add(replay.Sample())
	f.Add(header + "2023-02-28,1,5,0,1,1,1,1,1,1,1\n")
	f.Add("date\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		days, err := replay.ParseDays(strings.NewReader(text))
		if err != nil {
			return
		}
		require.NotEmpty(t, days)
		for _, d := range days {
			require.Equal(t, d.Players, sum(replay.Distribute(d.Players, d.Shares)))
			found, ok := replay.OnDate(days, d.Date)
			require.True(t, ok)
			require.Equal(t, d, found)
		}
	})
}

func sum(counts [replay.Tries]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

func TestEverybodyGetsAShareThatIsNextToTheQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var shares [replay.Tries]int
		for i := range shares {
			shares[i] = rapid.IntRange(0, 100).Draw(t, "share")
		}
		whole := sum(shares)
		if whole == 0 {
			return
		}
		n := rapid.IntRange(0, 10_000_000).Draw(t, "players")
		counts := replay.Distribute(n, shares)
		require.Equal(t, n, sum(counts))
		for i, count := range counts {
			require.GreaterOrEqual(t, count, n*shares[i]/whole)
			require.LessOrEqual(t, count, (n*shares[i]+whole-1)/whole)
		}
	})
}
