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
		day := Setting{
			Arrivals: rapid.SampledFrom([]Arrivals{Evenly, Puzzle}).Draw(t, "arrivals"),
			Journey:  rapid.SampledFrom([]Journey{Apart, Near, View}).Draw(t, "journey"),
		}
		events := plan(players, day, newRand(seed, 0))
		require.Equal(t, events, plan(players, day, newRand(seed, 0)), "the same day each time")
		require.Len(t, events, requestsOf(players, day.Journey))
		counts := map[act]int{}
		games := map[int]map[string]time.Duration{}
		for i, e := range events {
			require.True(t, i == 0 || events[i-1].at <= e.at)
			if day.Arrivals.Name == Evenly.Name {
				require.True(t, e.at >= opens && e.at < opens+hours+mostGames*betweenGames)
			}
			require.True(t, e.at >= 0 && e.at < 24*time.Hour, "the date of every score is the day's")
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
		want := map[act]int{submits: submissions(players)}
		if day.Journey != View {
			want[looks] = players * 5 / 2
			want[looksAround], want[looksAtWeek] = players, players
			want[looksAtFriends] = players
		}
		require.Equal(t, want, counts)
		shown := map[int]bool{}
		for _, e := range events {
			require.Equal(t, day.Journey == View && e.act == submits, e.view != "")
			if e.view == wholeView && !shown[e.player] {
				shown[e.player] = true
				for _, other := range events {
					require.False(t, other.player == e.player && other.act == submits && other.mode != e.mode && other.at > e.at, "the last game's")
				}
			}
		}
		require.Len(t, shown, map[Journey]int{View: players}[day.Journey])
		for _, modes := range games {
			require.Contains(t, modes, firstMode)
			require.Contains(t, []int{2, 3}, len(modes))
		}
	})
}
