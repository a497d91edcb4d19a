package archive_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/audit"
	"github.com/framedle/leaderboards/internal/feature/audit/auditstore"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
)

// Each method takes the round trips that it promises, whatever it moves.
func TestRoundTrips(t *testing.T) {
	a, n := openAt(t, archivetest.Database(t), 1)
	m := mode(t, "daily", fields{xp: game.XPRule{Weight: 1000}})
	board := func(k game.PeriodKind) game.Board { return game.BoardOf(m, k.Of(today), game.Scope{}) }
	month, week, dayBoard := board(game.Month), board(game.Week), board(game.Day)
	rows := results(2500, func(i int) float64 { return float64(i) + 0.5 })
	put(t, a, "daily", today, rows...)
	keepSnapshot(t, a, week, []game.Entry{{Rank: 1, Player: "p", Stored: 1}}, 1)
	var w *archive.DayWrite
	var err error
	put(t, a, "daily", today.AddDays(7), rows...)
	leagueJoins, leagueWeeks := 0, 0
	seats := func(players []string, _ leaguestore.LeagueRoom) (seats []league.Seat) {
		for _, player := range players {
			seats = append(seats, league.Seat{Player: player})
		}
		return seats
	}
	first := func() (err error) { w, err = a.Days.Begin(ctx, "daily", today, ""); return }

	for _, c := range []struct {
		name string
		most int
		do   func() error
	}{
		{"ping", 1, func() error { return a.Ping(ctx) }},
		{"make partitions", 1, func() error { return a.Days.EnsurePartitions(ctx, today, today.AddDays(90)) }},
		{"begin a saving that is refused", 1, func() error {
			_, err := a.Days.BeginSaving(ctx, "daily", today, "", time.Now())
			require.ErrorIs(t, err, archive.ErrClosed)
			return nil
		}},
		{"begin a day", 1, first},
		{"put rows that stand", 1, func() error { return w.Put(ctx, rows) }},
		{"finish a whole day", 1, func() error { _, err := w.Finish(ctx, noon); return err }},
		{"begin once more", 1, first},
		{"finish where many are gone", 4, func() error { _, err := w.Finish(ctx, noon); return err }},
		{"list days", 1, func() error { _, err := a.Days.Between(ctx, "daily", today, today); return err }},
		{"put it back", 3, func() error { put(t, a, "daily", today, rows...); return nil }},
		{"read a day", 1, func() error { return a.Results.OfDay(ctx, "daily", today, func([]game.Result) error { return nil }) }},
		{"read a player's results", 1, func() error { _, err := a.Results.Of(ctx, "p000001", today, today); return err }},
		{"when players played", 1, func() error {
			return a.Results.PlayedDates(ctx, today, today, func([]game.Played) error { return nil })
		}},
		{"add up a mode", 1, func() error {
			return a.Results.Totals(ctx, archive.Query{Mode: m, From: today, To: today}, func([]game.Entry) error { return nil })
		}},
		{"add up XP", 1, func() error {
			return a.Results.XPTotals(ctx, []*game.Mode{m}, today, today, func([]game.Entry) error { return nil })
		}},
		{"scopes", 1, func() error { _, err := a.Results.Scopes(ctx, "daily", today, today); return err }},
		{"page of a day", 1, func() error { _, err := a.Boards.Page(ctx, dayBoard, 100, 0, nil); return err }},
		{"page of a snapshot", 1, func() error { _, err := a.Boards.Page(ctx, week, 100, 0, nil); return err }},
		{"page of a month", 2, func() error { _, err := a.Boards.Page(ctx, month, 100, 0, nil); return err }},
		{"page behind a cursor", 2, func() error {
			_, err := a.Boards.Page(ctx, month, 100, 0, &game.Place{Stored: 9, Player: "p"})
			return err
		}},
		{"standing", 1, func() error { _, err := a.Boards.Standing(ctx, month, "p000001"); return err }},
		{"ranks of days", 1, func() error { _, err := a.Boards.Ranks(ctx, m, "p000001", 14); return err }},
		{"around on a day", 2, func() error { _, err := a.Boards.Around(ctx, dayBoard, "p000001", 5); return err }},
		{"around in a month", 3, func() error { _, err := a.Boards.Around(ctx, month, "p000001", 5); return err }},
		{"look-up", 1, func() error { _, err := a.Boards.Lookup(ctx, month, []string{"p000001"}); return err }},
		{"put a snapshot", 1, func() error { return a.Snapshots.Put(ctx, month, archive.Snapshot{TakenAt: noon}) }},
		{"read a snapshot", 1, func() error { _, err := a.Snapshots.Of(ctx, month); return err }},
		{"put awards", 1, func() error {
			return a.Achievements.Put(ctx, month, []archive.Award{{Player: "p", Kind: archive.Top10, Rank: 4}}, noon)
		}},
		{"achievements", 1, func() error { _, err := a.Achievements.Of(ctx, "p"); return err }},
		{"put profiles", 1, func() error { return a.Profiles.Put(ctx, []game.PlayerProfile{{Player: "p", UpdatedAt: noon}}) }},
		{"profiles", 1, func() error { _, err := a.Profiles.Of(ctx, []string{"p"}); return err }},
		{"all profiles", 1, func() error { return a.Profiles.All(ctx, func([]game.PlayerProfile) error { return nil }) }},
		{"join a league", 7, func() error {
			leagueJoins++
			_, err := leaguestore.In(a).Join(ctx, game.Week.Of(today).First(), []string{fmt.Sprint("new", leagueJoins)}, noon, seats)
			return err
		}},
		{"settle a week of leagues", 11, func() error {
			leagueWeeks++
			_, _, err := leaguestore.In(a).Settle(ctx, game.Week.Of(today).First().AddDays(7*leagueWeeks-7), []*game.Mode{m}, noon, seats,
				func([]league.Seat, map[string]int64) []league.Standing { return nil })
			return err
		}},
		{"put submissions", 1, func() error {
			_, err := a.Submissions.Put(ctx, []game.Posted{{StreamID: "1-0", Mode: "daily", Date: today, Player: "p", At: noon}}, "")
			return err
		}},
		{"submissions", 1, func() error {
			return a.Submissions.OfDay(ctx, "daily", today, func([]game.Posted) error { return nil })
		}},
		{"record nothing new", 3, func() error { return auditAgain(a) }},
		{"keep the record by months, as they are", 1, func() error { return auditstore.In(a).Tend(ctx, today, today, 120) }},
		{"look for rows without a month", 1, func() error { _, err := auditstore.In(a).Astray(ctx); return err }},
		{"read the record", 1, func() error { _, err := readAudit(a, audit.Query{Player: "p"}); return err }},
		{"ban", 1, func() error { return a.Bans.Put(ctx, "p", "why", act("1")) }},
		{"is banned", 1, func() error { _, err := a.Bans.Has(ctx, "p"); return err }},
		{"bans", 1, func() error { _, err := a.Bans.Before(ctx, noon.AddDate(1, 0, 0), "", 100); return err }},
		{"unban", 1, func() error { return a.Bans.Lift(ctx, "p", act("2")) }},
		{"audit", 1, func() error { return a.Audit.Put(ctx, archive.AuditEntry{Act: act("3"), Action: "look"}) }},
		{"audit log", 1, func() error { _, err := a.Audit.Before(ctx, "", game.Act{}, 10); return err }},
		{"delete a result", 1, func() error { _, err := a.Results.Delete(ctx, "daily", today, "p000001", act("4")); return err }},
		{"erase a player", 1, func() error { _, err := a.ErasePlayer(ctx, "p000002", act("5")); return err }},
	} {
		n.during(func() { err = c.do() }) // the connection learns the query
		require.NoError(t, err, c.name)
		if c.name == "finish where many are gone" {
			put(t, a, "daily", today, rows...)
			require.NoError(t, first())
		}
		got := n.during(func() { err = c.do() })
		require.NoError(t, err, c.name)
		require.Equal(t, c.most, got, c.name)
	}
	require.Equal(t, 1, n.dialled)
}

func TestOpeningDialsNothing(t *testing.T) {
	_, n := openAt(t, "postgres://u@127.0.0.1:1/nowhere", 1)
	require.Zero(t, n.dialled)
	for _, wrong := range []archive.Options{{URL: "postgres://u@127.0.0.1:port/x"}, {URL: "postgres://u@127.0.0.1/x", Connections: -1}} {
		_, err := archive.Open(wrong)
		require.Error(t, err)
	}
}

func TestReadingStopsWhereTheCallerStops(t *testing.T) {
	a, _ := openAt(t, archivetest.Database(t), 1)
	put(t, a, "daily", today, results(3000, func(int) float64 { return 1 })...)
	enough := errors.New("enough")
	runs := 0
	err := a.Results.OfDay(ctx, "daily", today, func(some []game.Result) error {
		runs++
		require.Len(t, some, 1000)
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, runs)
	require.NoError(t, a.Ping(ctx), "the only connection is free again")
}
