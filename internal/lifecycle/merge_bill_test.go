package lifecycle_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestMergingADayCostsWhatRedisBills(t *testing.T) {
	d := game.DateOf(noon)
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		for _, closed := range []bool{false, true} {
			for _, played := range []bool{false, true} {
				t.Run(fmt.Sprintf("closed %t, played %t", closed, played), func(t *testing.T) {
					k.empty()
					k.clock.Set(noon)
					p := k.process()
					if played {
						_, err := p.Boards.Submit(ctx, k.play("best", "a", 40))
						require.NoError(t, err)
					}
					m := k.mode("best")
					lost := []game.Result{
						{Player: "a", Stored: m.Encode(50, 1), Details: []byte(`{"guesses":3}`)},
						{Player: "b", Stored: m.Encode(20, 1)},
					}
					before := k.redis.Ran()
					commands, _ := p.spent(func() {
						require.NoError(t, p.Restore.MergeDay(ctx, m, d, lost, "lost", closed))
					})
					require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
					require.Len(t, wholeBoard(t, p, k.dayBoard(p, "best"), 10), 2)
				})
			}
		}
	})
}
