package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

func (k *kit) season(name string) game.Period {
	k.t.Helper()
	for _, p := range k.game.AllSeasons() {
		if p.Key() == name {
			return p
		}
	}
	require.Fail(k.t, "no season "+name)
	return game.Period{}
}

func (k *kit) snapshot(mode string, p game.Period, scope game.Scope) *archive.Snapshot {
	k.t.Helper()
	s, err := k.archive().Snapshots.Of(context.Background(), game.BoardOf(k.mode(mode), p, scope))
	require.NoError(k.t, err)
	return s
}

// rows returns what Redis shows of a board.
func (k *kit) rows(mode string, p game.Period, scope game.Scope) (rows []string) {
	k.t.Helper()
	store := k.process().Store
	page, err := store.Boards.Page(context.Background(), game.BoardOf(k.mode(mode), p, scope), game.PageRequest{Limit: 200})
	require.NoError(k.t, err)
	for _, e := range page.Entries {
		rows = append(rows, fmt.Sprintf("%d %s %v", e.Rank, e.Player, e.Stored))
	}
	return rows
}

func rowsOf(s *archive.Snapshot) (rows []string) {
	for _, e := range s.Entries {
		rows = append(rows, fmt.Sprintf("%d %s %v", e.Rank, e.Player, e.Stored))
	}
	return rows
}

// A season's snapshot, its board in Redis and the board that the archive makes of its days are
// the same, from its close until it has left Redis.
func TestASeasonClosesOnceAndIsTheSameEverywhere(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 10, 7) // through the last day of the season
	turn := k.season("turn")
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	want := map[string][]string{}
	for _, m := range k.game.Modes {
		s := k.snapshot(m.Name, turn, game.Scope{})
		require.NotNil(t, s, m.Name)
		want[m.Name] = rowsOf(s)
		require.Len(t, want[m.Name], 7, m.Name)
		require.Equal(t, want[m.Name], k.rows(m.Name, turn, game.Scope{}), m.Name)
		if m.HasScope(game.Group) {
			require.NotNil(t, k.snapshot(m.Name, turn, red), m.Name)
		}
	}
	awards, err := k.archive().Achievements.Of(ctx, k.snapshot("first", turn, game.Scope{}).Entries[0].Player)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(awards), "season turn")

	k.playDays(monday.AddDays(10), 12, 7) // by then these days are rolled up
	for _, m := range k.game.Modes {
		require.Equal(t, want[m.Name], k.rows(m.Name, turn, game.Scope{}), m.Name)
		page, err := k.archive().Boards.Page(ctx, game.BoardOf(m, turn, game.Scope{}), 3, 2, nil)
		require.NoError(t, err)
		var rows []string
		for _, e := range page.Entries {
			rows = append(rows, fmt.Sprintf("%d %s %v", e.Rank, e.Player, e.Stored))
		}
		require.Equal(t, want[m.Name][2:5], rows, m.Name)
	}
	k.agree()

	// A restore of a lost Redis makes it again, and also the season that is still open.
	open := k.rows("best", k.season("winter"), red)
	_, err = k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	_, err = k.process().Restore(ctx, closing.RestoreOptions{})
	require.NoError(t, err)
	for _, m := range k.game.Modes {
		require.Equal(t, want[m.Name], k.rows(m.Name, turn, game.Scope{}), m.Name)
	}
	require.Equal(t, open, k.rows("best", k.season("winter"), red))
	k.agree()

	// The snapshot of the next season has the ranks of this one.
	k.at(game.NewDate(2027, time.May, 1), 0, 20)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	_, err = k.process().Weekly(ctx, k.now)
	require.NoError(t, err)
	winter := k.snapshot("first", k.season("winter"), game.Scope{})
	require.NotNil(t, winter, "the weekly run closes a season that no daily run has")
	for _, e := range winter.Entries {
		require.Contains(t, want["first"], fmt.Sprintf("%d %s %v", e.PreviousRank, e.Player, k.storedOf(want["first"], e.Player)))
	}
}

// A season closes with its last day, even if nobody played on that day. From then on its
// totals have no tie fractions; totals that somebody has looked at before still had them.
func TestASeasonClosesWithADayOnWhichNobodyPlayed(t *testing.T) {
	onEngines(t, func(k *kit) {
		k.playDays(monday, 9, 4) // through the day before the last
		turn := k.season("turn")
		k.at(turn.Last(), 12, 0)
		require.Len(k.t, k.rows("first", turn, game.Scope{}), 4)
		k.at(turn.Last().AddDays(1), 0, 20)
		_, err := k.process().Daily(context.Background())
		require.NoError(k.t, err)
		k.agree()
		require.NotNil(k.t, k.snapshot("first", turn, game.Scope{}))
	})
}

// storedOf finds a player's stored score among rows.
func (k *kit) storedOf(rows []string, player string) (stored float64) {
	for _, row := range rows {
		var rank int
		var name string
		if _, err := fmt.Sscanf(row, "%d %s %g", &rank, &name, &stored); err == nil && name == player {
			return stored
		}
	}
	require.Fail(k.t, "no row of "+player)
	return 0
}

func TestARemovedResultRenewsTheSnapshotOfItsSeason(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 10, 4)
	turn := k.season("turn")
	player := k.snapshot("first", turn, game.Scope{}).Entries[0].Player
	for n := 4; n <= 5; n++ { // no player misses two days in a row
		_, err := k.archive().Results.Delete(ctx, "first", monday.AddDays(n), player, game.Act{ID: fmt.Sprint(n), At: k.now, Actor: "op"})
		require.NoError(t, err)
	}
	require.True(t, k.snapshot("first", turn, game.Scope{}).Stale)
	k.at(monday.AddDays(11), 0, 20)
	with := k.game
	var err error
	k.game, err = gamefile.Parse("test.yaml", []byte(withoutSeasons))
	require.NoError(t, err)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err, "a season that the file has no more is let be")
	require.True(t, func() bool { k.game = with; return k.snapshot("first", turn, game.Scope{}).Stale }())
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	require.False(t, k.snapshot("first", turn, game.Scope{}).Stale)
}

// A season that is declared too late lacks the days that were already rolled up, until a
// restore makes it from the archive.
func TestASeasonDeclaredLateIsMadeByARestore(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	whole := k.game
	none, err := gamefile.Parse("test.yaml", []byte(withoutSeasons))
	require.NoError(t, err)
	k.game = none
	k.playDays(monday, 20, 5)
	k.game = whole
	winter, turn := k.season("winter"), k.season("turn")
	require.Empty(t, k.rows("first", turn, game.Scope{}))
	_, err = k.process().Restore(ctx, closing.RestoreOptions{})
	require.NoError(t, err)
	k.agree()
	for _, p := range []game.Period{winter, turn} {
		totals := map[string]float64{}
		query := archive.Query{Mode: k.mode("first"), From: p.First(), To: p.Last(), TrueScores: true}
		require.NoError(t, k.archive().Results.Totals(ctx, query, func(entries []game.Entry) error {
			for _, e := range entries {
				totals[e.Player] = e.Stored
			}
			return nil
		}))
		require.Len(t, totals, 5)
		store := k.process().Store
		page, err := store.Boards.Page(ctx, game.BoardOf(k.mode("first"), p, game.Scope{}), game.PageRequest{Limit: 10})
		require.NoError(t, err)
		require.Len(t, page.Entries, 5)
		for _, e := range page.Entries {
			require.EqualValues(t, totals[e.Player], e.Score)
		}
	}
}
