package costday_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/costday"
)

func dayOf(players int, each float64) costday.Day {
	commands := int64(each * float64(players))
	return costday.Day{Players: players, Routes: map[string]costday.Count{"submit": {Commands: commands}}}
}

func ExampleCurve() {
	c := costday.NewCurve([]costday.Day{dayOf(10_000, 7), dayOf(100, 12), dayOf(1_000, 8)})
	for _, players := range []float64{50, 100, 300, 10_000, 1e6} {
		fmt.Printf("%.2f\n", c.PerPlayer(players))
	}
	line := c.Line(300)
	fmt.Printf("%.0f a day and %.2f for each player\n", line.Fixed, line.Each)
	fmt.Printf("$%.2f\n", costday.Dollars(c.PerPlayer(10_000)*10_000*costday.DaysOfMonth))
	// Output:
	// 16.44
	// 12.00
	// 9.04
	// 7.00
	// 7.00
	// 444 a day and 7.56 for each player
	// $4.26
}

func TestTheCurveGoesThroughItsDaysAndStaysBetweenThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var days []costday.Day
		for _, players := range []int{100, 1_000, 10_000} {
			days = append(days, dayOf(players, rapid.Float64Range(1, 100).Draw(t, "each")))
		}
		c := costday.NewCurve(days)
		for _, d := range days {
			require.InDelta(t, d.PerPlayer(), c.PerPlayer(float64(d.Players)), 1e-9)
		}
		players := rapid.Float64Range(100, 1_000).Draw(t, "players")
		a, b := days[0].PerPlayer(), days[1].PerPlayer()
		require.GreaterOrEqual(t, c.PerPlayer(players), min(a, b)-1e-9)
		require.LessOrEqual(t, c.PerPlayer(players), max(a, b)+1e-9)
	})
}

func TestTheFreePlanCarriesAsManyAsItsCommandsAreEnoughFor(t *testing.T) {
	c := costday.NewCurve([]costday.Day{dayOf(100, 10), dayOf(100_000, 10)})
	require.Equal(t, 1642, c.Carries(costday.FreeCommands), "500,000 / 30.4375 / 10")
}

func TestAWeekIsBorneBySevenDays(t *testing.T) {
	d := dayOf(100, 10)
	d.Routes["cron-weekly"] = costday.Count{Commands: 140}
	d.Weekly = d.Routes["cron-weekly"]
	require.InDelta(t, 10.2, d.PerPlayer(), 1e-9)
	require.InDelta(t, 0.2, d.Of("cron-weekly"), 1e-9)
}

func TestAMissedTargetIsNamed(t *testing.T) {
	report := costday.Report{Sizes: []costday.Size{
		{Players: 100, Days: []costday.Day{dayOf(100, 13)}},
		{Players: 1_000, Days: []costday.Day{dayOf(1_000, 9)}},
	}}
	require.Equal(t, []string{"100 players: 13.00 commands each, at most 12"}, report.Missed())
}
