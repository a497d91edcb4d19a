package game

import (
	"math"
	"time"
)

// Expected is the share of points that a player of rating a gets of one of
// rating b, 0 to 1: 1/(1+10^((b−a)/scale)), after Elo, The Rating of
// Chessplayers (1978).
func (d Duels) Expected(a, b float64) float64 {
	return 1 / (1 + math.Pow(10, (b-a)/d.Scale))
}

// Change is what a's rating gains by a result of 1 (won), 0.5 (drawn) or 0
// (lost) against b, where at most k is at stake. b loses exactly as much.
func (d Duels) Change(k, a, b, result float64) float64 {
	return k * (result - d.Expected(a, b))
}

// KOf is what is at stake in a duel of two players who have begun so many
// duels before: the mean of what would be for each, so that one gains what the
// other loses.
func (d Duels) KOf(a, b int) float64 { return (d.kOf(a) + d.kOf(b)) / 2 }

func (d Duels) kOf(duels int) float64 {
	if duels < d.Provisional.Duels {
		return d.Provisional.K
	}
	return d.K
}

// Earned is what both players earn by an outcome. Without a score there are no
// rounds to count.
func (p DuelPoints) Earned(winner int, score *[2]int64) (points [2]int64) {
	for i := range points {
		if score != nil {
			points[i] = p.Round * score[i]
		}
		if i == winner {
			points[i] += p.Win
			if score != nil && score[i] > 0 && score[1-i] == 0 {
				points[i] += p.Sweep
			}
		}
	}
	return points
}

// WindowAfter is how far an opponent's rating may be off after so long a wait.
func (q DuelQueue) WindowAfter(wait time.Duration) float64 {
	return min(q.Cap, q.Window+q.Growth*max(wait, 0).Seconds())
}
