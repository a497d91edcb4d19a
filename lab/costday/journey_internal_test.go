package costday

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEveryPlayerMakesTheJourneyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		players := 10 * rapid.IntRange(5, 60).Draw(t, "tens of players")
		seed := rapid.Uint64().Draw(t, "seed")
		events := plan(players, 3, newRand(seed, 0))
		require.Equal(t, events, plan(players, 3, newRand(seed, 0)), "the same day each time")
		require.Len(t, events, requestsOf(players))
		counts := map[act]int{}
		games := map[int]map[string]time.Duration{}
		for i, e := range events {
			require.True(t, i == 0 || events[i-1].at <= e.at)
			require.True(t, e.at >= opens && e.at < opens+hours+mostGames*betweenGames)
			require.Less(t, e.process, uint8(3))
			counts[e.act]++
			if games[e.player] == nil {
				games[e.player] = map[string]time.Duration{}
			}
			switch e.act {
			case submits:
				if _, again := games[e.player][e.mode]; !again {
					games[e.player][e.mode] = e.at
				}
			default:
				_, played := games[e.player][e.mode]
				require.True(t, played, "nobody looks before the own score is sent")
			}
		}
		require.Equal(t, map[act]int{submits: submissions(players), looks: players * 5 / 2, looksAround: players, looksAtFriends: players}, counts)
		for _, modes := range games {
			require.Contains(t, modes, firstMode)
			require.Contains(t, []int{2, 3}, len(modes))
		}
	})
}
