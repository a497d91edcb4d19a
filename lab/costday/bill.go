package costday

import (
	"fmt"
	"math"
	"slices"

	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

// What Upstash bills; a test compares it with the list of package price.
const (
	FreeCommands = 500_000 // a month
	FreeBytes    = 10e9    // a month
	DollarsEach  = 0.20 / 100_000

	// DaysOfMonth is the mean over four years.
	DaysOfMonth = price.DaysOfMonth
)

type target struct {
	players int
	most    float64
}

// targets bound the commands that a player may cost a day as deployed, by the number of
// players.
var targets = []target{{100, 14}, {1_000, 10}, {1_500, 10}, {10_000, 15}}

// queueTargets are the same for queue mode.
var queueTargets = []target{{100_000, 4}}

// freePlayers is how many daily players the free plan must carry at least.
const freePlayers = 1_500

// Target returns the budget for this number of players; false if none is set.
func Target(players int) (most float64, ok bool) { return targetOf(targets, players) }

// QueueTarget returns the budget in queue mode; false if none is set.
func QueueTarget(players int) (most float64, ok bool) { return targetOf(queueTargets, players) }

func targetOf(targets []target, players int) (most float64, ok bool) {
	for _, t := range targets {
		if t.players == players {
			return t.most, true
		}
	}
	return 0, false
}

// Monthly is what a month of such days costs, in billed commands.
func (d Day) Monthly() float64 { return d.PerPlayer() * float64(d.Players) * DaysOfMonth }

// Dollars is the price of a month's commands if each command is paid for.
func Dollars(commands float64) float64 { return commands * DollarsEach }

// Curve predicts the figure of a day from the number of players, by interpolation between
// measured days.
type Curve []point

type point struct {
	players int
	daily   float64
}

// NewCurve makes a curve of days of different sizes, at least one. figure returns the
// value for each player: [Day.PerPlayer] or [Day.Bytes].
func NewCurve(days []Day, figure func(Day) float64) Curve {
	var c Curve
	for _, d := range days {
		c = append(c, point{d.Players, figure(d) * float64(d.Players)})
	}
	slices.SortFunc(c, func(a, b point) int { return a.players - b.players })
	return c
}

// Line is a stretch of a Curve: a fixed amount a day, and an amount for each player.
type Line struct{ Fixed, Each float64 }

// String returns the line as a formula.
func (l Line) String() string {
	if fixed := int64(math.Round(l.Fixed)); fixed >= 0 {
		return fmt.Sprintf("%s + %.2f × players", progress.Count(fixed), l.Each)
	}
	return fmt.Sprintf("%.2f × players − %s", l.Each, progress.Count(int64(math.Round(-l.Fixed))))
}

// Line returns the line through the two measured days around a number of players. Below
// the smallest day this is the line through the two smallest. Above the largest day, or
// with one day alone, each player takes what a player of the largest day does.
func (c Curve) Line(players float64) Line {
	i := slices.IndexFunc(c, func(p point) bool { return float64(p.players) >= players })
	if i < 0 || len(c) == 1 {
		last := c[len(c)-1]
		return Line{Each: last.daily / float64(last.players)}
	}
	low, high := c[max(i, 1)-1], c[max(i, 1)]
	each := (high.daily - low.daily) / float64(high.players-low.players)
	return Line{low.daily - each*float64(low.players), each}
}

// PerPlayer is the prediction for each player and day.
func (c Curve) PerPlayer(players float64) float64 {
	line := c.Line(players)
	return line.Fixed/players + line.Each
}

// mostPlayers bounds the result of [Curve.Carries].
const mostPlayers = 10_000_000

// Carries is the largest number of daily players for which monthly is enough for a month.
func (c Curve) Carries(monthly float64) int {
	for players := 1; players <= mostPlayers; players++ {
		if n := float64(players); c.PerPlayer(n)*n*DaysOfMonth > monthly {
			return players - 1
		}
	}
	return mostPlayers
}
