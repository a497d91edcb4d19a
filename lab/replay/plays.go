package replay

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/framedle/leaderboards/lab/people"
)

// Points are the scores of daily_frame, by tries.
var Points = [Tries]int32{1000, 800, 600, 400, 200, 100, 0}

// Distribute divides n players among the shares as evenly as whole players allow. Each
// share gets its quota rounded down, and those with the largest remainders get one more
// (the Hare-Niemeyer method). The sum is n. No share may be below 0, and at least one
// must be above.
func Distribute(n int, shares [Tries]int) [Tries]int {
	sum := 0
	for _, share := range shares {
		sum += share
	}
	var counts, byRemainder [Tries]int
	left := n
	for i, share := range shares {
		counts[i] = n * share / sum
		left -= counts[i]
		byRemainder[i] = i
	}
	slices.SortStableFunc(byRemainder[:], func(a, b int) int { return n*shares[b]%sum - n*shares[a]%sum })
	for _, i := range byRemainder[:left] {
		counts[i]++
	}
	return counts
}

// play is one player's result. Plays are in the order in which they are sent.
type play struct {
	player int32 // 0 to N-1; does not depend on the order
	tries  int8  // index of Points
	step   int32 // of the clock
}

func (p play) score() int32 { return Points[p.tries] }

// deal returns the day's plays in random order, spread evenly over the steps.
func deal(d Day, steps int, random *rand.Rand) []play {
	plays := make([]play, 0, d.Players)
	for tries, count := range Distribute(d.Players, d.Shares) {
		for range count {
			plays = append(plays, play{player: int32(len(plays)), tries: int8(tries)})
		}
	}
	random.Shuffle(len(plays), func(i, j int) { plays[i], plays[j] = plays[j], plays[i] })
	for i := range plays {
		plays[i].step = int32(people.Turn(i, len(plays), steps))
	}
	return plays
}

// moment is when a step of the day starts.
func moment(d Day, step int32, steps int) time.Time {
	return d.Date.Midnight().Add(time.Duration(int64(24*time.Hour) / int64(steps) * int64(step)))
}

// players have ids that differ by a number.
const players = people.Series("player_")

func (p play) id() string { return players.ID(int(p.player)) }
