package costday

import (
	"fmt"
	"math"
	"slices"

	"github.com/framedle/leaderboards/internal/price"
	"github.com/framedle/leaderboards/internal/progress"
)

// What Upstash bills, which a test holds against package price's list.
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

// targets are the most commands that a player may cost a day as deployed, by the
// number of players.
var targets = []target{{100, 13}, {1_000, 9}, {10_000, 9}, {100_000, 8}}

// queueTargets are those of queue mode.
var queueTargets = []target{{100_000, 4}}

// freePlayers is how many daily players the free plan must carry at the least.
const freePlayers = 1_500

// Target is the budget for so many players; false where there is none.
func Target(players int) (most float64, ok bool) { return targetOf(targets, players) }

// QueueTarget is the budget in queue mode; false where there is none.
func QueueTarget(players int) (most float64, ok bool) { return targetOf(queueTargets, players) }

func targetOf(targets []target, players int) (most float64, ok bool) {
	for _, t := range targets {
		if t.players == players {
			return t.most, true
		}
	}
	return 0, false
}

// Monthly is a month of such days, in billed commands.
func (d Day) Monthly() float64 { return d.PerPlayer() * float64(d.Players) * DaysOfMonth }

// Dollars is what a month of commands costs where each is paid for.
func Dollars(commands float64) float64 { return commands * DollarsEach }

// Curve predicts what a day takes from the number of players, between days that
// were measured.
type Curve []point

type point struct {
	players int
	daily   float64
}

// NewCurve makes a curve of days of different sizes, at least one. The figure is
// what it is about, for each player: [Day.PerPlayer] or [Day.Bytes].
func NewCurve(days []Day, figure func(Day) float64) Curve {
	var c Curve
	for _, d := range days {
		c = append(c, point{d.Players, figure(d) * float64(d.Players)})
	}
	slices.SortFunc(c, func(a, b point) int { return a.players - b.players })
	return c
}

// Line is a stretch of a Curve: so much a day, and so much for each player.
type Line struct{ Fixed, Each float64 }

// String is the line as a formula.
func (l Line) String() string {
	if fixed := int64(math.Round(l.Fixed)); fixed >= 0 {
		return fmt.Sprintf("%s + %.2f × players", progress.Count(fixed), l.Each)
	}
	return fmt.Sprintf("%.2f × players − %s", l.Each, progress.Count(int64(math.Round(-l.Fixed))))
}

// Line is the one through the two days around a number of players; below the
// smallest day that of the first two. Above the largest, and where there is no
// second day, a player takes what one of the nearest day does.
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

// PerPlayer is what is predicted for a player a day.
func (c Curve) PerPlayer(players float64) float64 {
	line := c.Line(players)
	return line.Fixed/players + line.Each
}

// mostPlayers bounds what a plan is said to carry.
const mostPlayers = 10_000_000

// Carries is the number of daily players up to which so much a month is enough.
func (c Curve) Carries(monthly float64) int {
	for players := 1; players <= mostPlayers; players++ {
		if n := float64(players); c.PerPlayer(n)*n*DaysOfMonth > monthly {
			return players - 1
		}
	}
	return mostPlayers
}
