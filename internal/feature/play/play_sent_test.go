package play_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"testing"

	"github.com/framedle/leaderboards/internal/dev/testkit"
)

// A process may die at any step of a play. The play has one effect and counts once; the next
// request gets what the first would have got; and all later requests get the same answer.
func TestAPlayIsFinishedWhereverItsProcessDied(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := apitest.PlayingAt(t, address)
		for _, mode := range []string{"time_30", "coined", "adding", "newest"} {
			for step := range 3 { // claim, effect, answer
				for _, after := range []bool{false, true} {
					s.Die(mode, step, after)
				}
			}
		}
	})
}
