package people_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/lab/people"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestASeedMakesTheSamePeople(t *testing.T) {
	for _, draw := range []func(int, *rand.Rand) []people.Person{people.Crowd, people.Regulars} {
		require.Equal(t, draw(60, source(1)), draw(60, source(1)))
		require.NotEqual(t, draw(60, source(1)), draw(60, source(2)))
	}
}

func TestFriendshipGoesBothWays(t *testing.T) {
	all := people.Crowd(50, source(1))
	numbers := map[string]int{}
	for i, player := range all {
		numbers[player.ID] = i
	}
	for i, player := range all {
		friends := people.Friends(all, i)
		require.Len(t, friends, people.FriendsEach)
		require.NotContains(t, friends, player.ID)
		for _, friend := range friends {
			require.Contains(t, people.Friends(all, numbers[friend]), player.ID)
		}
	}
}

func TestACrowdComesFromFortyCountries(t *testing.T) {
	found := map[string]int{}
	for _, player := range people.Crowd(5_000, source(1)) {
		found[player.Country]++
	}
	require.Len(t, found, 40)
	require.Greater(t, found["BR"], found["KR"])
}

func TestPlayersAreKnownByTheirExactIds(t *testing.T) {
	const series = people.Series("player_")
	player, ok := series.Number("player_41", 42)
	require.True(t, ok)
	require.Equal(t, 41, player)
	for _, id := range []string{"", "player_", "player_42", "player_-1", "player_041", "player_+1", "user_1", "player_1 ", "player_99999999999"} {
		_, ok := series.Number(id, 42)
		require.False(t, ok, id)
	}
}

func TestPlayersArriveInOrderWithinTheSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, turns := rapid.IntRange(1, 500).Draw(t, "players"), rapid.IntRange(1, 100).Draw(t, "turns")
		last, turn := time.Duration(-1), 0
		for place := range n {
			at := people.Evenly(place, n, time.Hour)
			require.True(t, at > last && at < time.Hour)
			require.GreaterOrEqual(t, people.Turn(place, n, turns), turn)
			last, turn = at, people.Turn(place, n, turns)
			require.Less(t, turn, turns)
		}
	})
}

func TestHalfOfAPuzzlesPlayersComeWithinThreeHours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "players")
		last, early, hours := time.Duration(-1), 0, map[int]int{}
		for place := range n {
			at := people.OfPuzzle(place, n)
			require.True(t, at > last && at < 23*time.Hour)
			if last = at; at < 3*time.Hour {
				early++
			}
			hours[int(at/time.Hour)]++
		}
		require.InDelta(t, float64(n)/2, early, 1)
		if n >= 200 {
			require.Greater(t, hours[11], hours[8], "a noon")
			require.Greater(t, hours[11], hours[16])
			require.Greater(t, hours[20], hours[16], "an evening")
		}
	})
}

func TestARegularPlaysAModeAtMostOnceAStepAndInOrder(t *testing.T) {
	const steps = 5
	r, met := source(1), map[int]int{}
	for _, p := range people.Regulars(500, r) {
		last := -1
		for step := range p.Plays(r, steps) {
			require.Greater(t, step, last)
			require.LessOrEqual(t, step, steps)
			last = step
			met[step]++
		}
	}
	require.Len(t, met, steps+1)
}
