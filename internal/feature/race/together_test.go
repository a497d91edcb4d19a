package race_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// Five play from processes of their own, everything is sent twice at once, and
// connections are cut before and after the effect; one closes in some races. All see
// the same end, every rating moves once, and none is made or lost.
func TestARaceOfFiveEndsTheSameForAll(t *testing.T) {
	onEngines(t, "duels: {provisional: {duels: 3, k: 64}}", func(t *testing.T, k *kit) {
		players := []string{"a", "b", "c", "d", "e"}
		processes := map[string]*race.Store{}
		for _, player := range players {
			processes[player] = k.process()
		}
		for round := range 6 {
			before := k.ratings(t)
			k.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
				switch n := rand.IntN(100); {
				case n < 8:
					return upstashtest.Fault{CutBefore: true}
				case n < 16:
					return upstashtest.Fault{CutAfter: true}
				}
				return upstashtest.Fault{}
			})
			id := fmt.Sprint("round", round)
			closes := ""
			if round%2 == 1 {
				closes = players[round%5]
			}
			ask(func() error {
				_, err := processes["a"].Create(ctx, race.Wanted{ID: id, Player: "a", Mode: "daily"})
				return err
			})
			everybody(players[1:], func(player string) {
				ask(func() error { _, err := processes[player].Join(ctx, id, player); return err })
			})
			k.clock.Pass(race.Lead)
			everybody(players, func(player string) {
				ask(func() error { _, _, err := processes[player].Progress(ctx, id, player, 0.5); return err })
			})
			everybody(players, func(player string) {
				if player == closes {
					return
				}
				score := game.Score((7*round + 3*int(player[0])) % 10)
				ask(func() error { _, err := processes[player].Report(ctx, id, "daily", player, score); return err })
			})
			if closes != "" {
				k.clock.Pass(race.RulesOf(k.game).Silent + time.Millisecond)
			}
			ends := make([]race.Race, len(players))
			var wait sync.WaitGroup
			for i, player := range players {
				wait.Go(func() {
					ask(func() (err error) { ends[i], err = processes[player].See(ctx, id, player); return err })
				})
			}
			wait.Wait()
			k.redis.Server.Inject(nil)
			for _, end := range ends {
				require.Equal(t, race.Decided, end.State)
				require.Equal(t, ends[0], end)
			}
			if closes != "" {
				require.Equal(t, 5, places(ends[0])[closes])
			}
			holdsRatings(t, k, ends[0], before)
			sum := 0.0
			for _, rating := range k.ratings(t) {
				sum += rating
			}
			require.InDelta(t, 5000, sum, 1e-9)
			stake := 64.0
			if round >= 3 {
				stake = 32
			}
			for _, seat := range ends[0].Seats {
				require.Equal(t, stake, seat.K, "every race was counted once")
			}
		}
	})
}

// ask asks until there is an answer.
func ask(do func() error) {
	for {
		if err := do(); err == nil {
			return
		}
	}
}

// everybody does something at once, each twice.
func everybody(players []string, do func(player string)) {
	var wait sync.WaitGroup
	for _, player := range players {
		for range 2 {
			wait.Go(func() { do(player) })
		}
	}
	wait.Wait()
}
