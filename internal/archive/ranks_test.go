package archive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

// The ranks of a player's closed days are those of the day's boards, whatever their order and
// their ties, over New Year, with days that are not closed, days without the player, and results
// that were removed.
func TestRanksEqualStandings(t *testing.T) {
	a := open(t)
	first := game.NewDate(2026, time.December, 30)
	const days = 5
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		m := drawMode(t, number)
		h := drawHistory(t, m, first, days)
		closed := map[game.Date]bool{}
		for n := range days {
			d := first.AddDays(n)
			if closed[d] = rapid.IntRange(0, 4).Draw(t, "closed") > 0; closed[d] {
				put(t, a, m.Name, d, h[d]...)
			} else {
				save(t, a, m.Name, d, h[d]...)
			}
		}
		if rapid.Bool().Draw(t, "bans") { // the ban of a player removes the results
			banned := rapid.SampledFrom(players).Draw(t, "banned")
			for n := range days {
				d := first.AddDays(n)
				_, err := a.Results.Delete(ctx, m.Name, d, banned, act(fmt.Sprint(number, banned, n)))
				require.NoError(t, err)
				h[d] = slices.DeleteFunc(h[d], func(r game.Result) bool { return r.Player == banned })
			}
		}
		limit := rapid.IntRange(1, days+1).Draw(t, "limit")
		for _, player := range append([]string{"nobody"}, players...) {
			var want []game.DayRank
			for d := first.AddDays(days - 1); !d.Before(first) && len(want) < limit; d = d.AddDays(-1) {
				s, err := a.Boards.Standing(ctx, game.BoardOf(m, game.Day.Of(d), game.Scope{}), player)
				board := ranked(m, h.combined(m, d, d, game.Scope{}, false))
				at := slices.IndexFunc(board, func(e game.Entry) bool { return e.Player == player })
				if at < 0 {
					require.ErrorIs(t, err, archive.ErrNotOnBoard)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, board[at].Rank, s.Rank)
				if closed[d] {
					want = append(want, game.DayRank{Date: d, Rank: s.Rank, Score: s.Score})
				}
			}
			got, err := a.Boards.Ranks(ctx, m, player, limit)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// save writes a whole day that still takes scores.
func save(t require.TestingT, a *archive.Archive, mode string, d game.Date, results ...game.Result) {
	w, err := a.Days.BeginSaving(ctx, mode, d, "", time.Now())
	require.NoError(t, err)
	require.NoError(t, w.Put(ctx, results))
	_, err = w.Finish(ctx, noon)
	require.NoError(t, err)
}

// The last rank that is counted is the ten-thousandth, in every order and tie style.
func TestRanksAreCountedToABound(t *testing.T) {
	a := open(t)
	for _, order := range []game.Order{game.Desc, game.Asc} {
		for _, ties := range []game.TieStyle{game.Earliest, game.Shared} {
			m := mode(t, fmt.Sprintf("bound_%s_%s", order, ties), fields{order: order, ties: ties})
			const players = game.MostDayRank + 3
			all := results(players, func(i int) float64 {
				if order == game.Asc {
					return float64(i) + 0.5
				}
				return float64(players-i) + 0.5
			})
			w, err := a.Days.Begin(ctx, m.Name, today, "")
			require.NoError(t, err)
			for some := range slices.Chunk(all, archive.MostRows) {
				require.NoError(t, w.Put(ctx, some))
			}
			_, err = w.Finish(ctx, noon)
			require.NoError(t, err)
			for n, want := range map[int]int64{0: 1, 1: 2, game.MostDayRank - 2: game.MostDayRank - 1, game.MostDayRank - 1: game.MostDayRank, game.MostDayRank: 0, game.MostDayRank + 2: 0} {
				got, err := a.Boards.Ranks(ctx, m, fmt.Sprintf("p%06d", n), 14)
				require.NoError(t, err)
				require.Len(t, got, 1)
				require.Equal(t, want, got[0].Rank, "%s %s %d", order, ties, n)
			}
		}
	}
}

// Ranks are runs of the day's index that end at the bound, without reading the table, also when
// the planner does not know whose ranks and of which mode.
func TestRanksAreReadFromTheIndexOfADay(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	run := psql(t, url)
	for n := range 2 { // in two partitions
		put(t, a, "daily", today.AddDays(-30*n), results(archive.MostRows, func(i int) float64 { return float64(i % 100) })...)
	}
	run("VACUUM ANALYZE results")
	run("VACUUM ANALYZE archived_days")
	for _, order := range []game.Order{game.Desc, game.Asc} {
		for _, ties := range []game.TieStyle{game.Earliest, game.Shared} {
			scan := "Index Only Scan Backward using"
			if order == game.Asc {
				scan = "Index Only Scan using"
			}
			name := fmt.Sprintf("ranks_%s_%s", order, ties)
			run("PREPARE " + name + " AS " + archive.RanksQuery(mode(t, "daily", fields{order: order, ties: ties})))
			for _, planned := range []string{"force_custom_plan", "force_generic_plan"} {
				run("SET plan_cache_mode = " + planned)
				plan := strings.Join(run("EXPLAIN (COSTS OFF) EXECUTE "+name+" ('daily', 'p000001', 14)"), "\n")
				_, ahead, found := strings.Cut(plan, "->  Aggregate")
				require.True(t, found, plan)
				require.Regexp(t, `^\s*->\s+Limit\s+->\s+Append\s+->\s+`+scan+`.*\s+Index Cond: \(\(mode = .*\(date = .*stored.*\)\n`, ahead, plan)
				require.NotContains(t, plan, "Seq Scan on results")
			}
		}
	}
}
