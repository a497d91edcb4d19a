package archive_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

// Every page, standing, surrounding and look-up of a day, week or month over
// New Year of a 53-week year equals a plain model: order and ranks with ties,
// from offsets and behind cursors, with and without a snapshot.
func TestHistoryEqualsAModel(t *testing.T) {
	a := open(t)
	first := game.NewDate(2026, time.December, 30) // 2026-W53, over two months
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		m := drawMode(t, number)
		h := drawHistory(t, m, first, 5)
		h.keep(t, a, m, first, 5)
		for _, period := range []game.Period{game.Day.Of(first), game.Week.Of(first), game.Month.Of(first)} {
			b := game.BoardOf(m, period, scope(t, rapid.SampledFrom([]string{"global", "country:BR", "group:x"}).Draw(t, "board")))
			want := ranked(m, h.combined(m, period.First(), period.Last(), b.Scope, false))
			if period.Kind() != game.Day && rapid.Bool().Draw(t, "snapshot") {
				keepSnapshot(t, a, b, want, rapid.IntRange(0, 6).Draw(t, "top"))
			}
			samePages(t, a, b, want)
			samePlayers(t, a, b, want)
			sameDistribution(t, a, b, want)
		}
	})
}

func keepSnapshot(t require.TestingT, a *archive.Archive, b game.Board, board []game.Entry, top int) {
	s := archive.Snapshot{Total: int64(len(board)), TakenAt: noon}
	for _, e := range board[:min(top, len(board))] {
		s.Entries = append(s.Entries, archive.SnapshotEntry{Rank: e.Rank, Player: e.Player, Score: e.Score, Stored: e.Stored})
	}
	require.NoError(t, a.Snapshots.Put(ctx, b, s))
}

func samePages(t *rapid.T, a *archive.Archive, b game.Board, want []game.Entry) {
	total := len(want)
	offset, limit := rapid.IntRange(0, total+2).Draw(t, "offset"), rapid.IntRange(1, 10).Draw(t, "limit")
	page, err := a.Boards.Page(ctx, b, int64(limit), int64(offset), nil)
	require.NoError(t, err)
	require.Equal(t, int64(total), page.Total)
	sameEntries(t, want[min(offset, total):min(offset+limit, total)], page.Entries)

	var walked []game.Entry
	var after *game.Place
	for {
		page, err := a.Boards.Page(ctx, b, int64(rapid.IntRange(1, 3).Draw(t, "step")), 0, after)
		require.NoError(t, err)
		if len(page.Entries) == 0 {
			break
		}
		require.Equal(t, int64(len(walked)), page.Position)
		walked = append(walked, page.Entries...)
		last := walked[len(walked)-1]
		after = &game.Place{Stored: last.Stored, Player: last.Player}
	}
	sameEntries(t, want, walked)

	// Behind a place where nobody stands.
	nobody := game.Place{Stored: rapid.Float64Range(-3, 3).Draw(t, "stored"), Player: "m"}
	page, err = a.Boards.Page(ctx, b, 100, 0, &nobody)
	require.NoError(t, err)
	place := slices.IndexFunc(want, func(e game.Entry) bool {
		if b.Mode.Order == game.Asc {
			return e.Stored > nobody.Stored || e.Stored == nobody.Stored && e.Player > nobody.Player
		}
		return e.Stored < nobody.Stored || e.Stored == nobody.Stored && e.Player < nobody.Player
	})
	if place < 0 {
		place = total
	}
	sameEntries(t, want[place:], page.Entries)
}

func samePlayers(t *rapid.T, a *archive.Archive, b game.Board, want []game.Entry) {
	player := rapid.SampledFrom(players).Draw(t, "player")
	at := slices.IndexFunc(want, func(e game.Entry) bool { return e.Player == player })
	standing, err := a.Boards.Standing(ctx, b, player)
	reach := rapid.Int64Range(0, 3).Draw(t, "reach")
	around, aroundErr := a.Boards.Around(ctx, b, player, reach)
	if at < 0 {
		require.ErrorIs(t, err, archive.ErrNotOnBoard)
		require.ErrorIs(t, aroundErr, archive.ErrNotOnBoard)
	} else {
		require.NoError(t, err)
		require.NoError(t, aroundErr)
		require.Equal(t, game.Standing{Entry: want[at], Total: int64(len(want)), Position: int64(at)}, standing)
		from := max(0, min(at-int(reach), len(want)-int(2*reach+1)))
		require.Equal(t, want[from:min(from+int(2*reach+1), len(want))], around.Entries)
	}
	some := players[:rapid.IntRange(0, len(players)).Draw(t, "asked")]
	stored := map[string]float64{}
	for _, e := range want {
		if slices.Contains(some, e.Player) {
			stored[e.Player] = e.Stored
		}
	}
	found, err := a.Boards.Lookup(ctx, b, some)
	require.NoError(t, err)
	sameEntries(t, ranked(b.Mode, stored), found)
}

func sameEntries(t require.TestingT, want, got []game.Entry) {
	if len(want) > 0 || len(got) > 0 {
		require.Equal(t, want, got)
	}
}

func TestBoardsThatNeverLeaveRedisHaveNoHistory(t *testing.T) {
	a := open(t)
	b := game.BoardOf(mode(t, "daily", fields{}), game.AllTime.Of(today), game.Scope{})
	_, err := a.Boards.Page(ctx, b, 10, 0, nil)
	require.ErrorContains(t, err, "days, weeks, months and seasons only")
	_, err = a.Boards.Standing(ctx, b, "p")
	require.Error(t, err)
	_, err = a.Boards.Lookup(ctx, b, []string{"p"})
	require.Error(t, err)
}

func sameDistribution(t *rapid.T, a *archive.Archive, b game.Board, want []game.Entry) {
	d, err := a.Boards.Distribution(ctx, b, rapid.IntRange(1, game.MostBuckets).Draw(t, "buckets"))
	require.NoError(t, err)
	require.EqualValues(t, len(want), d.Total)
	for _, bucket := range d.Buckets {
		low, high := bucket.Bounds(b.Mode)
		within := slices.DeleteFunc(slices.Clone(want), func(e game.Entry) bool { return e.Score < low || e.Score > high })
		require.EqualValues(t, len(within), bucket.Players)
	}
}
