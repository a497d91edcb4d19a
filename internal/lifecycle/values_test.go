package lifecycle_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// valuesGame ranks by words a minute, then by accuracy; and by moves, the fewest first,
// then by stars, the most first, then by seconds.
const valuesGame = `
name: testing
refresh: 1s
modes:
  typing: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]}
  maze:
    policy: best
    order: asc
    score: [{name: moves, min: -5, max: 500}, {name: stars, max: 3, order: desc}, {name: seconds, decimals: 1, max: 600}]
`

// result is one result as it was played.
type result struct {
	player string
	values []game.Score
	at     time.Time
}

// leads compares two results value by value, and last by time.
func leads(m *game.Mode, a, b result) int {
	for i, v := range m.Values {
		if c := cmp.Compare(b.values[i], a.values[i]); c != 0 {
			if v.Order == game.Asc {
				return -c
			}
			return c
		}
	}
	return a.at.Compare(b.at)
}

// results returns so many results of fewer players, each at a second of its own. Their values
// are drawn from few, including the bounds, so that many are equal.
func results(m *game.Mode, n int, day time.Time, random *rand.Rand) []result {
	seconds := random.Perm(86400)
	played := make([]result, n)
	for i := range played {
		r := result{player: fmt.Sprintf("p%d", random.IntN(n*7/10)), at: day.Add(time.Duration(seconds[i]) * time.Second)}
		for _, v := range m.Values {
			steps := int64(v.Max-v.Min) + 1
			few := min(steps, 30)
			r.values = append(r.values, v.Min+game.Score(random.Int64N(few)*(steps-1)/max(few-1, 1)))
		}
		played[i] = r
	}
	return played
}

// TestTenThousandResultsAreOrderedByTheirValues plays results in any order through both kinds
// of Redis, and compares the boards of the day and of the week with the plain comparison.
func TestTenThousandResultsAreOrderedByTheirValues(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, valuesGame)
		random := rand.New(rand.NewPCG(16, 10_000))
		day := game.DateOf(noon)
		k.clock.Set(day.Midnight().Add(24*time.Hour - time.Second))
		for _, m := range k.game.Modes {
			played := results(m, 10_000, day.Midnight(), random)
			p := k.process()
			for batch := range slices.Chunk(played, 1000) {
				subs := make([]game.Submission, len(batch))
				for i, r := range batch {
					packed, err := m.Pack(r.values)
					require.NoError(t, err)
					subs[i] = game.Submission{Mode: m, Player: r.player, Date: day, Score: packed, At: r.at}
				}
				for _, outcome := range p.Boards.SubmitBatch(t.Context(), subs) {
					require.NoError(t, outcome.Err)
				}
			}
			best := map[string]result{}
			for _, r := range played {
				if current, has := best[r.player]; !has || leads(m, r, current) < 0 {
					best[r.player] = r
				}
			}
			var want []string
			ordered := make([]result, 0, len(best))
			for _, r := range best {
				ordered = append(ordered, r)
			}
			slices.SortFunc(ordered, func(a, b result) int { return leads(m, a, b) })
			for i, r := range ordered {
				want = append(want, fmt.Sprint(i+1, r.player, r.values))
			}
			for _, period := range []game.Period{game.Day.Of(day), game.Week.Of(day), game.AllTime.Of(day)} {
				var got []string
				for cursor := ""; ; {
					page, err := p.Boards.Page(t.Context(), game.BoardOf(m, period, game.Scope{}), game.PageRequest{Limit: 200, Cursor: cursor})
					require.NoError(t, err)
					for _, e := range page.Entries {
						got = append(got, fmt.Sprint(e.Rank, e.Player, m.Unpack(e.Score)))
					}
					if cursor = page.Next; cursor == "" {
						break
					}
				}
				require.Equal(t, want, got, "%s %s", m.Name, period.Key())
			}
		}
	})
}
