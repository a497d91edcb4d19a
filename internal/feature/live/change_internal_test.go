package live

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// anyPage draws a page in board order, of few players and few scores, so that rows
// tie and come back. Players of one score may stand in any order.
func anyPage(t *rapid.T, b game.Board) []game.Entry {
	players := rapid.SliceOfNDistinct(rapid.IntRange(0, 11), 0, 8, rapid.ID).Draw(t, "players")
	page := make([]game.Entry, len(players))
	for i, n := range players {
		score := rapid.IntRange(1, 4).Draw(t, "score")
		page[i] = game.Entry{
			Player: fmt.Sprint("user_", n), Score: game.Score(score),
			Stored:  float64(score) + rapid.Float64Range(0, 0.03).Draw(t, "fraction"),
			Profile: game.Profile{Name: rapid.SampledFrom([]string{"", "Ana"}).Draw(t, "name")},
		}
	}
	b.Sort(page)
	b.RankAmongThemselves(page)
	return page
}

// shown is what of a page viewers see.
func shown(page []game.Entry) []game.Entry {
	rows := []game.Entry{}
	for _, row := range page {
		row.Stored = 0
		rows = append(rows, row)
	}
	return rows
}

// apply makes the page of a change what it was a change to. It is what clients do.
func apply(old, changed []game.Entry, gone []string) []game.Entry {
	other := make(map[string]bool, len(changed)+len(gone))
	for _, row := range changed {
		other[row.Player] = true
	}
	for _, player := range gone {
		other[player] = true
	}
	page := slices.DeleteFunc(slices.Clone(old), func(row game.Entry) bool { return other[row.Player] })
	page = append(page, changed...)
	slices.SortStableFunc(page, func(a, b game.Entry) int { return int(a.Rank - b.Rank) })
	return page
}

func TestChangesAppliedToTheFirstPageAlwaysGiveTheLast(t *testing.T) {
	for _, ties := range []game.TieStyle{game.Earliest, game.Shared} {
		for _, order := range []game.Order{game.Desc, game.Asc} {
			t.Run(fmt.Sprint(ties, order), func(t *testing.T) {
				b := game.Board{Mode: &game.Mode{Ties: ties, Order: order}}
				rapid.Check(t, func(t *rapid.T) {
					last := anyPage(t, b)
					seen := shown(last)
					for range rapid.IntRange(1, 6).Draw(t, "changes") {
						next := anyPage(t, b)
						changed, gone := between(last, next)
						seen = apply(seen, shown(changed), gone)
						require.Equal(t, shown(next), shown(seen))
						last = next
					}
				})
			})
		}
	}
}

func TestWhatStaysIsNotTold(t *testing.T) {
	b := game.Board{Mode: &game.Mode{Ties: game.Earliest, Order: game.Desc}}
	rapid.Check(t, func(t *rapid.T) {
		page := anyPage(t, b)
		changed, gone := between(page, page)
		require.Empty(t, changed)
		require.Empty(t, gone)
	})
	row := func(rank int64, player string, score game.Score) game.Entry {
		return game.Entry{Rank: rank, Player: player, Score: score}
	}
	old := []game.Entry{row(1, "ana", 9), row(2, "ben", 8), row(3, "cid", 7)}
	now := []game.Entry{row(1, "ana", 9), row(2, "dan", 8), row(3, "ben", 7)}
	changed, gone := between(old, now)
	require.Equal(t, now[1:], changed)
	require.Equal(t, []string{"cid"}, gone)
}
