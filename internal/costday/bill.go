package costday

import "slices"

// What Upstash bills, of November 2026.
const (
	FreeCommands = 500_000 // a month
	FreeBytes    = 10e9    // a month
	DollarsEach  = 0.20 / 100_000

	// DaysOfMonth is the mean over four years.
	DaysOfMonth = 30.4375
)

// targets are the most commands that a player may cost a day in one process, by
// the number of players.
var targets = []struct {
	players int
	most    float64
}{{100, 12}, {1_000, 10}, {10_000, 9}, {100_000, 7.5}}

// freePlayers is how many daily players the free plan must carry at the least.
const freePlayers = 1_700

// Target is the budget for so many players; false where there is none.
func Target(players int) (most float64, ok bool) {
	for _, t := range targets {
		if t.players == players {
			return t.most, true
		}
	}
	return 0, false
}

// daily is what such a day costs, in billed commands.
func (d Day) daily() float64 { return d.PerPlayer() * float64(d.Players) }

// Monthly is a month of such days, in billed commands.
func (d Day) Monthly() float64 { return d.daily() * DaysOfMonth }

// Dollars is what a month of commands costs where each is paid for.
func Dollars(commands float64) float64 { return commands * DollarsEach }

// Curve predicts a day's commands from the number of players, between days that
// were measured.
type Curve []Day

// NewCurve makes a curve of days of different sizes, at least one.
func NewCurve(days []Day) Curve {
	c := Curve(slices.Clone(days))
	slices.SortFunc(c, func(a, b Day) int { return a.Players - b.Players })
	return c
}

// Line is a stretch of a Curve: so many commands a day, and so many for each player.
type Line struct{ Fixed, Each float64 }

// Line is the one through the two days around a number of players; below the
// smallest day that of the first two. Above the largest, and where there is no
// second day, a player costs what one of the nearest day does.
func (c Curve) Line(players float64) Line {
	i := slices.IndexFunc(c, func(d Day) bool { return float64(d.Players) >= players })
	if i < 0 || len(c) == 1 {
		return Line{Each: c[len(c)-1].PerPlayer()}
	}
	low, high := c[max(i, 1)-1], c[max(i, 1)]
	each := (high.daily() - low.daily()) / float64(high.Players-low.Players)
	return Line{low.daily() - each*float64(low.Players), each}
}

// PerPlayer is the predicted cost of a player a day, in billed commands.
func (c Curve) PerPlayer(players float64) float64 {
	line := c.Line(players)
	return line.Fixed/players + line.Each
}

// Carries is how many daily players a month's commands are enough for.
func (c Curve) Carries(commands float64) int {
	low, high := 0.0, 1e9
	for high-low > 0.5 {
		middle := (low + high) / 2
		if c.PerPlayer(middle)*middle*DaysOfMonth <= commands {
			low = middle
		} else {
			high = middle
		}
	}
	return int(low)
}
