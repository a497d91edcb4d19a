package closing_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/upstash"
)

const rollingGame = `
name: testing
refresh: 1s
modes:
  first: {max: 1000, scopes: [country, region, group], rolling: true}
  latest: {policy: latest, max: 60, aggregate: sum, scopes: [group], rolling: true}
  plain: {max: 1000}
`

// rollingModel has the scores that were played, by player and date.
type rollingModel map[string]map[game.Date]int64

// rows returns what a board of rolling days must show, by player.
func (m rollingModel) rows(p game.Period, of func(player string) bool) (rows []string) {
	for player, days := range m {
		sum, found := int64(0), false
		for d, score := range days {
			if p.Contains(d) {
				sum, found = sum+score, true
			}
		}
		if found && of(player) {
			rows = append(rows, fmt.Sprint(player, " ", sum))
		}
	}
	slices.Sort(rows)
	return rows
}

func (k *kit) sums(mode string, p game.Period, scope game.Scope) (rows []string) {
	k.t.Helper()
	page, err := k.process().Store.Boards.Page(k.t.Context(), game.BoardOf(k.mode(mode), p, scope), game.PageRequest{Limit: 200})
	require.NoError(k.t, err)
	for _, e := range page.Entries {
		rows = append(rows, fmt.Sprint(e.Player, " ", e.Score))
	}
	slices.SortFunc(rows, cmp.Compare[string])
	return rows
}

// The boards of the last 7 and 30 days equal a plain sum: also over days that were rolled up
// long ago, for groups and countries, after a loss of Redis, and without erased players.
func TestRollingDaysAreWhatWasPlayedOnThem(t *testing.T) {
	onEngines(t, func(k *kit) {
		t := k.t
		k.game = testkit.Game(t, rollingGame)
		played := map[string]rollingModel{"first": {}, "latest": {}}
		red, err := game.GroupScope("red")
		require.NoError(t, err)
		germany, err := game.ParseScope("country:DE")
		require.NoError(t, err)
		everybody := func(string) bool { return true }
		var d game.Date
		agree := func() {
			t.Helper()
			for _, last := range []game.Date{d, d.AddDays(-1), d.AddDays(-6)} {
				for _, kind := range []game.PeriodKind{game.Last7, game.Last30} {
					p := kind.Of(last)
					for mode, model := range played {
						require.Equal(t, model.rows(p, everybody), k.sums(mode, p, game.Scope{}), "%s %s %s", mode, kind, last)
						inRed := func(player string) bool { return len(player)%3 == 0 }
						require.Equal(t, model.rows(p, inRed), k.sums(mode, p, red), "%s %s %s of red", mode, kind, last)
					}
					inDE := func(player string) bool { return len(player)%3 == 1 }
					require.Equal(t, played["first"].rows(p, inDE), k.sums("first", p, germany), "%s %s of DE", kind, last)
				}
			}
		}
		for n := range 42 {
			d = monday.AddDays(n)
			k.at(d, 12, 0)
			for i, player := range []string{"p", "pp", "ppp", "pppp", "ppppp", "pppppp"} {
				if (n+i)%4 == 3 {
					continue
				}
				for mode, model := range played {
					score := int64((n*37 + i*11) % 60)
					k.play(mode, player, d, game.Score(score))
					if model[player] == nil {
						model[player] = map[game.Date]int64{}
					}
					model[player][d] = score
				}
			}
			if n == 5 || n == 20 || n == 41 {
				agree()
			}
			k.at(d.AddDays(1), 0, 20)
			_, err := k.process().Daily(t.Context())
			require.NoError(t, err)
		}
		agree()

		_, err = k.client.Do(t.Context(), upstash.Cmd("FLUSHALL"))
		require.NoError(t, err)
		_, err = k.process().Restore(t.Context(), closing.RestoreOptions{})
		require.NoError(t, err)
		agree()

		_, err = k.process().Store.Repair.Erase(t.Context(), "ppp", lifecycle.Erasure{})
		require.NoError(t, err)
		for _, model := range played {
			delete(model, "ppp")
		}
		agree()
	})
}
