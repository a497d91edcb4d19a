package archive_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
)

func TestDeletingAResult(t *testing.T) {
	a := open(t)
	m := mode(t, "daily", fields{})
	put(t, a, "daily", today, game.Result{Player: "p", Stored: 5.5}, game.Result{Player: "q", Stored: 4.5})
	put(t, a, "daily", today.AddDays(1), game.Result{Player: "p", Stored: 1.5})
	week := game.BoardOf(m, game.Week.Of(today), game.Scope{})
	keepSnapshot(t, a, week, []game.Entry{{Rank: 1, Player: "p", Score: 6, Stored: 7}, {Rank: 2, Player: "q", Score: 4, Stored: 4.5}}, 2)
	elsewhere := game.BoardOf(m, week.Period, scope(t, "country:BR"))
	keepSnapshot(t, a, elsewhere, nil, 0)

	for try, removed := range []bool{true, false} {
		got, err := a.Results.Delete(ctx, "daily", today, "p", act("one"))
		require.NoError(t, err)
		require.Equal(t, removed, got, "try %d", try)
		require.Equal(t, []game.Result{{Player: "q", Stored: 4.5}}, day(t, a, "daily", today))
		days, err := a.Days.Between(ctx, "daily", today, today)
		require.NoError(t, err)
		require.Equal(t, int64(1), days[0].Players)
		log, err := a.Audit.Before(ctx, "", game.Act{}, 10)
		require.NoError(t, err)
		require.Len(t, log, 1, "the same act leaves one row")
	}
	page, err := a.Boards.Page(ctx, week, 10, 0, nil)
	require.NoError(t, err)
	require.Equal(t, []game.Entry{{Rank: 1, Player: "q", Score: 4, Stored: 4.5}, {Rank: 2, Player: "p", Score: 1, Stored: 1.5}}, page.Entries,
		"the week heals at once")
	s, err := a.Snapshots.Of(ctx, elsewhere)
	require.NoError(t, err)
	require.False(t, s.Stale, "a board that the player was not on stays")
}

// The week and month of every date are those that package game names.
func TestRemovalFindsTheWeekAndMonthOfAnyDate(t *testing.T) {
	a := open(t)
	m := mode(t, "daily", fields{})
	for _, d := range []game.Date{game.NewDate(2026, 12, 31), game.NewDate(2027, 1, 1), game.NewDate(2027, 1, 3), game.NewDate(2027, 1, 4), game.NewDate(2024, 12, 30), game.NewDate(2028, 2, 29)} {
		put(t, a, "daily", d, game.Result{Player: "p", Stored: 5.5})
		for _, kind := range []game.PeriodKind{game.Week, game.Month} {
			keepSnapshot(t, a, game.BoardOf(m, kind.Of(d), game.Scope{}), nil, 0)
		}
		_, err := a.Results.Delete(ctx, "daily", d, "p", act(d.String()))
		require.NoError(t, err)
		for _, kind := range []game.PeriodKind{game.Week, game.Month} {
			s, err := a.Snapshots.Of(ctx, game.BoardOf(m, kind.Of(d), game.Scope{}))
			require.NoError(t, err)
			require.True(t, s.Stale, "%s of %s", kind, d)
		}
	}
}

func TestRemovalSupersedesRunsThatMayHaveReadBefore(t *testing.T) {
	a := open(t)
	row := []game.Result{{Player: "p", Stored: 5.5}}
	for name, remove := range map[string]func() error{
		"one result": func() error { _, err := a.Results.Delete(ctx, "daily", today, "p", act("1")); return err },
		"a player":   func() error { _, err := a.ErasePlayer(ctx, "p", act("2")); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w, err := a.Days.Begin(ctx, "daily", today, "")
			require.NoError(t, err)
			require.NoError(t, remove())
			require.ErrorIs(t, w.Put(ctx, row), archive.ErrSuperseded)
			_, err = w.Finish(ctx, noon)
			require.ErrorIs(t, err, archive.ErrSuperseded)
			require.Empty(t, day(t, a, "daily", today))
		})
	}
}

// An erased player is nowhere in the database by id, and erasing again changes nothing.
func TestErasingAPlayer(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	m := mode(t, "daily", fields{})
	const player = "user_erika"
	brazil := scope(t, "country:BR")
	for n := range 3 {
		put(t, a, "daily", today.AddDays(-n), game.Result{Player: player, Stored: 5.5, Scopes: []game.ScopedResult{{Scope: brazil, Stored: 5.5}}},
			game.Result{Player: "q", Stored: 1.5})
	}
	week := game.BoardOf(m, game.Week.Of(today), game.Scope{})
	keepSnapshot(t, a, week, []game.Entry{{Rank: 1, Player: player, Score: 15, Stored: 16.5}, {Rank: 2, Player: "q", Score: 3, Stored: 4.5}}, 2)
	require.NoError(t, a.Achievements.Put(ctx, week, []archive.Award{{Player: player, Kind: archive.Champion, Rank: 1}}, noon))
	require.NoError(t, a.Profiles.Put(ctx, []game.PlayerProfile{{Player: player, Profile: game.Profile{Name: "Erika"}, UpdatedAt: noon}}))
	_, err := a.Submissions.Put(ctx, []game.Posted{{StreamID: "1-0", Mode: "daily", Date: today, Player: player, Stored: 5.5, At: noon}}, "")
	require.NoError(t, err)
	require.NoError(t, a.Bans.Put(ctx, player, "cheating", act("ban")))
	require.NoError(t, a.Audit.Put(ctx, archive.AuditEntry{Act: game.Act{ID: "note", Actor: player, At: noon}, Action: "note",
		Detail: json.RawMessage(`{"friend":"user_erika","other":"user_erika2"}`)}))

	later := game.Act{ID: "erase", Actor: player, At: noon.Add(time.Hour)}
	got, err := a.ErasePlayer(ctx, player, later)
	require.NoError(t, err)
	require.Equal(t, archive.Erasure{Results: 3, Snapshots: 1, Achievements: 1, Profiles: 1, Submissions: 1, Bans: 1, Audit: 2}, got)
	for _, table := range []string{"results", "archived_days", "leaderboard_snapshots", "achievements", "profiles", "bans", "audit", "erasures", "submissions"} {
		require.Empty(t, query(t, url, `SELECT row::text FROM `+table+` AS row WHERE row::text ~ 'user_erika\M'`), table)
	}

	t.Run("leaves the others and the order of things", func(t *testing.T) {
		s, err := a.Snapshots.Of(ctx, week)
		require.NoError(t, err)
		require.Equal(t, []archive.SnapshotEntry{{Rank: 1, Player: archive.Erased, Score: 15, Stored: 16.5}, {Rank: 2, Player: "q", Score: 3, Stored: 4.5}}, s.Entries)
		page, err := a.Boards.Page(ctx, week, 10, 0, nil)
		require.NoError(t, err)
		require.Equal(t, []game.Entry{{Rank: 1, Player: "q", Score: 4, Stored: 4.5}}, page.Entries)
		log, err := a.Audit.Before(ctx, "", game.Act{}, 10)
		require.NoError(t, err)
		require.Len(t, log, 3)
		require.Equal(t, "erase", log[0].Action)
		require.Equal(t, log[0].Actor, log[0].Player, "one digest for one player")
		require.Contains(t, string(log[2].Detail), "user_erika2")
		days, err := a.Days.Between(ctx, "daily", today, today)
		require.NoError(t, err)
		require.Equal(t, int64(1), days[0].Players)
	})
	t.Run("keeps the ban", func(t *testing.T) {
		banned, err := a.Bans.Has(ctx, player)
		require.NoError(t, err)
		require.True(t, banned)
		require.NoError(t, a.Bans.Lift(ctx, player, act("unban")))
		banned, err = a.Bans.Has(ctx, player)
		require.NoError(t, err)
		require.False(t, banned)
	})
	t.Run("keeps out what was on its way", func(t *testing.T) {
		n, err := a.Submissions.Put(ctx, []game.Posted{
			{StreamID: "2-0", Mode: "daily", Date: today, Player: player, Stored: 5.5, At: noon},
			{StreamID: "3-0", Mode: "daily", Date: today, Player: "q", Stored: 5.5, At: noon},
		}, "")
		require.NoError(t, err)
		require.Equal(t, int64(1), n)
		keepSnapshot(t, a, week, []game.Entry{{Rank: 1, Player: player, Score: 15, Stored: 16.5}}, 1)
		require.NoError(t, a.Achievements.Put(ctx, week, []archive.Award{{Player: player, Kind: archive.Champion, Rank: 1}}, noon))
		require.NoError(t, a.Profiles.Put(ctx, []game.PlayerProfile{{Player: player, Profile: game.Profile{Name: "Erika"}, UpdatedAt: noon}}))
		for _, table := range []string{"leaderboard_snapshots", "achievements", "profiles", "submissions", "audit"} {
			require.Empty(t, query(t, url, `SELECT row::text FROM `+table+` AS row WHERE row::text ~ 'user_erika\M'`), table)
		}
	})
	t.Run("lets in what came after", func(t *testing.T) {
		n, err := a.Submissions.Put(ctx, []game.Posted{{StreamID: "9-0", Mode: "daily", Date: today, Player: player, Stored: 5.5, At: later.At.Add(time.Second)}}, "")
		require.NoError(t, err)
		require.Equal(t, int64(1), n)
	})
	t.Run("again finds nothing else", func(t *testing.T) {
		_, err := a.ErasePlayer(ctx, player, game.Act{ID: "again", Actor: "operator", At: later.At.Add(time.Hour)})
		require.NoError(t, err)
		got, err := a.ErasePlayer(ctx, player, game.Act{ID: "again", Actor: "operator", At: later.At.Add(time.Hour)})
		require.NoError(t, err)
		require.Equal(t, archive.Erasure{}, got)
	})
}

func TestErasingHappensAsAWholeOrNotAtAll(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	put(t, a, "daily", today, game.Result{Player: "p", Stored: 5.5})
	query(t, url, `ALTER TABLE audit ADD CHECK (action <> 'erase')`)
	_, err := a.ErasePlayer(ctx, "p", act("1"))
	require.Error(t, err)
	require.Len(t, day(t, a, "daily", today), 1)
	require.Empty(t, query(t, url, `SELECT digest FROM erasures`))
}

func TestBans(t *testing.T) {
	a := open(t)
	require.NoError(t, a.Bans.Put(ctx, "p", "cheating", act("1")))
	require.NoError(t, a.Bans.Put(ctx, "p", "another reason", act("2")))
	bans, err := a.Bans.Before(ctx, noon.AddDate(1, 0, 0), "", 100)
	require.NoError(t, err)
	require.Len(t, bans, 1)
	require.Equal(t, "cheating", bans[0].Reason, "the first stands")
	require.NoError(t, a.Bans.Lift(ctx, "p", act("3")))
	bans, err = a.Bans.Before(ctx, noon.AddDate(1, 0, 0), "", 100)
	require.NoError(t, err)
	require.Empty(t, bans)
	log, err := a.Audit.Before(ctx, "", game.Act{}, 10)
	require.NoError(t, err)
	require.Len(t, log, 3)
}
