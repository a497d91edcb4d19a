package costday_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/lab/costday"
)

func dayOf(players int, each float64) costday.Day {
	commands := int64(each * float64(players))
	return costday.Day{Name: "evenly", Setting: costday.Setting{Arrivals: costday.Evenly}, Players: players, Routes: map[string]costday.Count{"submit": {Commands: commands}}}
}

// queued is a day of 100,000 players in queue mode.
func queued(each float64, seconds int) costday.Day {
	d := dayOf(100_000, each)
	d.Window = time.Duration(seconds) * time.Second
	d.Name = fmt.Sprintf("queue mode, %d s, evenly", seconds)
	return d
}

// puzzling turns d into a puzzle's day as deployed, and alone into a day in one process.
func puzzling(d costday.Day) costday.Day {
	d.Arrivals, d.Name = costday.Puzzle, "a puzzle's day"
	return d
}

func alone(d costday.Day) costday.Day {
	d.Alone, d.Name = true, "one process, evenly"
	return d
}

func ExampleCurve() {
	c := costday.NewCurve([]costday.Day{dayOf(10_000, 7), dayOf(100, 12), dayOf(1_000, 8)}, costday.Day.PerPlayer)
	for _, players := range []float64{50, 100, 300, 10_000, 1e6} {
		fmt.Printf("%.2f\n", c.PerPlayer(players))
	}
	fmt.Println(c.Line(300))
	fmt.Println(costday.Line{Fixed: -1_241.2, Each: 8.85})
	fmt.Printf("$%.2f\n", costday.Dollars(c.PerPlayer(10_000)*10_000*costday.DaysOfMonth))
	// Output:
	// 16.44
	// 12.00
	// 9.04
	// 7.00
	// 7.00
	// 444 + 7.56 × players
	// 8.85 × players − 1,241
	// $4.26
}

func TestTheCurveGoesThroughItsDaysAndStaysBetweenThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var days []costday.Day
		for _, players := range []int{100, 1_000, 10_000} {
			days = append(days, dayOf(players, rapid.Float64Range(1, 100).Draw(t, "each")))
		}
		c := costday.NewCurve(days, costday.Day.PerPlayer)
		for _, d := range days {
			require.InDelta(t, d.PerPlayer(), c.PerPlayer(float64(d.Players)), 1e-9)
		}
		players := rapid.Float64Range(100, 1_000).Draw(t, "players")
		a, b := days[0].PerPlayer(), days[1].PerPlayer()
		require.GreaterOrEqual(t, c.PerPlayer(players), min(a, b)-1e-9)
		require.LessOrEqual(t, c.PerPlayer(players), max(a, b)+1e-9)
	})
}

func TestAPlanCarriesAsManyAsItIsEnoughFor(t *testing.T) {
	c := costday.NewCurve([]costday.Day{dayOf(100, 10), dayOf(100_000, 10)}, costday.Day.PerPlayer)
	require.Equal(t, 1642, c.Carries(costday.FreeCommands), "500,000 / 30.4375 / 10")
	dear := costday.NewCurve([]costday.Day{dayOf(100, 10), dayOf(1_000, 50), dayOf(2_000, 10)}, costday.Day.PerPlayer)
	require.Less(t, dear.Carries(costday.FreeCommands), 1_000, "what is enough for 1,642 is not for a thousand")
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
		{Players: 100, Days: []costday.Day{dayOf(100, 14.5), puzzling(dayOf(100, 14)), alone(dayOf(100, 50))}},
		{Players: 1_000, Days: []costday.Day{dayOf(1_000, 10), puzzling(dayOf(1_000, 10.5))}},
		{Players: 100_000, Days: []costday.Day{dayOf(100_000, 7), puzzling(dayOf(100_000, 7)), queued(4, 20), queued(5, 60), queued(6, 30)}},
		{Players: 10_000, Days: []costday.Day{dayOf(10_000, 7), puzzling(dayOf(10_000, 9))}, Check: true},
	}}
	require.Equal(t, []string{
		"100 players, evenly: 14.50 commands each, at most 14",
		"1,000 players, a puzzle's day: 10.50 commands each, at most 10",
		"100,000 players, queue mode, 60 s, evenly: 5.00 commands each, at most 4",
		"10,000 players, a puzzle's day: 9.00 commands each, predicted 7.32",
	}, report.Missed())
}

func TestTablesTellDaysApartThatNotEverySizeHas(t *testing.T) {
	near := dayOf(100, 10)
	near.Journey, near.Name = costday.Near, "evenly, near"
	small, large := queued(9, 20), queued(3, 20)
	small.Routes = map[string]costday.Count{"ingest": {Commands: 500_000}, "around": {Commands: 400_000}}
	tables := costday.Report{Sizes: []costday.Size{
		{Players: 100, Days: []costday.Day{dayOf(100, 11), puzzling(dayOf(100, 12)), near, alone(dayOf(100, 10.5)), small}, Record: dayOf(100, 80)},
		{Players: 100_000, Days: []costday.Day{dayOf(100_000, 7), puzzling(dayOf(100_000, 7.5)), large}, Record: dayOf(100_000, 80)},
		{Players: 300, Days: []costday.Day{dayOf(300, 8)}, Check: true},
	}}.Markdown()
	for _, row := range []string{
		"| **all** | **11.00** | **7.00** |",
		"| **all** | **12.00** | **7.50** |",
		"| **all, with `near`** | **10.00** |  |",
		"takes less: 10.50 with 100 players, players come evenly.\n",
		"| scores written, 2.55 for each player | 5.00 | 3.00 |",
		"| own surroundings | 4.00 | 0.00 |",
		"| **all, a window of 20 s** | **9.00** | **3.00** |",
		"| at most, the longest window |  | 4 |",
		"| dollars a month, $0.20 for 100,000 | 0.07 | 45.66 |",
		"| 100 to 100,000 | 400 + 7.00 × players | 450 + 7.50 × players |",
		"| 300 | evenly | 8.33 | 8.00 | +4.1% | 0 |",
	} {
		require.Contains(t, tables, row+"\n")
	}
}
