package archive_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
)

func TestTheNewestProfileCounts(t *testing.T) {
	a := open(t)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	require.NoError(t, a.Profiles.Put(ctx, nil))
	require.NoError(t, a.Profiles.Put(ctx, []game.PlayerProfile{
		{Player: "p", Profile: game.Profile{Name: "Paula", Country: "BR"}, UpdatedAt: at(2)},
		{Player: "q", Profile: game.Profile{Name: "Q"}, UpdatedAt: at(0)},
		{Player: "p", Profile: game.Profile{Name: "Paul"}, UpdatedAt: at(1)},
	}))
	require.NoError(t, a.Profiles.Put(ctx, []game.PlayerProfile{{Player: "p", Profile: game.Profile{Name: "Old"}, UpdatedAt: at(0)}, {Player: "q", Profile: game.Profile{Name: "Quentin", Picture: "https://x/y", Hidden: true}, UpdatedAt: at(3)}}))

	want := []game.PlayerProfile{
		{Player: "p", Profile: game.Profile{Name: "Paula", Country: "BR"}, UpdatedAt: at(2)},
		{Player: "q", Profile: game.Profile{Name: "Quentin", Picture: "https://x/y", Hidden: true}, UpdatedAt: at(3)},
	}
	some, err := a.Profiles.Of(ctx, []string{"q", "p", "nobody"})
	require.NoError(t, err)
	sameProfiles(t, want, some)
	var all []game.PlayerProfile
	require.NoError(t, a.Profiles.All(ctx, func(run []game.PlayerProfile) error {
		all = append(all, run...)
		return nil
	}))
	sameProfiles(t, want, all)
	require.Error(t, a.Profiles.Put(ctx, []game.PlayerProfile{{Player: "p", Profile: game.Profile{Country: "Brazil"}, UpdatedAt: at(9)}}))
}

func TestPlayersAreFoundByTheBeginningOfTheirNames(t *testing.T) {
	a := open(t)
	names := map[string]string{
		"p1": "Ana", "p2": "ANABEL", "p3": "ana", "p4": "Banana", "p5": "A_a", "p6": "A%b", "p7": `A\b`, "p8": "", "p9": "Åsa", "p10": "Ana",
	}
	var profiles []game.PlayerProfile
	for player, name := range names {
		profiles = append(profiles, game.PlayerProfile{Player: player, Profile: game.Profile{Name: name, Hidden: player == "p2"}, UpdatedAt: noon})
	}
	require.NoError(t, a.Profiles.Put(ctx, profiles))
	put(t, a, "daily", today, game.Result{Player: "p1", Stored: 5})
	put(t, a, "daily", today.AddDays(-40), game.Result{Player: "p1", Stored: 5}, game.Result{Player: "p3", Stored: 5})

	found := func(prefix string) (players []string) {
		rows, err := a.Profiles.FindByName(ctx, prefix, "", "", 20)
		require.NoError(t, err)
		for _, r := range rows {
			require.Equal(t, names[r.Player], r.Name)
			require.Equal(t, r.Player == "p2", r.Hidden)
			players = append(players, r.Player)
		}
		return players
	}
	for prefix, want := range map[string][]string{
		"an": {"p1", "p10", "p3", "p2"}, "ANA": {"p1", "p10", "p3", "p2"}, "anab": {"p2"}, "nana": nil,
		"a_": {"p5"}, "a%": {"p6"}, `a\`: {"p7"}, "%a": nil, "__": nil, "Ås": {"p9"},
	} {
		require.Equal(t, want, found(prefix), prefix)
	}
	rows, err := a.Profiles.FindByName(ctx, "an", "ANA", "p10", 1)
	require.NoError(t, err)
	require.Equal(t, "p3", rows[0].Player, "the page after p10 begins with it")
	require.Equal(t, today.AddDays(-40), game.DateOf(*rows[0].LastPlayed))
	rows, err = a.Profiles.FindByName(ctx, "ana", "", "", 2)
	require.NoError(t, err)
	require.Equal(t, today, game.DateOf(*rows[0].LastPlayed))
	require.Nil(t, rows[1].LastPlayed)
}

func sameProfiles(t *testing.T, want, got []game.PlayerProfile) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, want[i].UpdatedAt.Equal(got[i].UpdatedAt))
		got[i].UpdatedAt = want[i].UpdatedAt
	}
	require.Equal(t, want, got)
}

func TestAwardsFollowTheBoard(t *testing.T) {
	a := open(t)
	week := game.BoardOf(mode(t, "daily", fields{}), game.Week.Of(today), game.Scope{})
	other := game.BoardOf(week.Mode, week.Period, scope(t, "country:BR"))
	require.NoError(t, a.Achievements.Put(ctx, other, []archive.Award{{Player: "p", Kind: archive.Champion, Rank: 1}}, noon))
	require.NoError(t, a.Achievements.Put(ctx, week, []archive.Award{
		{Player: "p", Kind: archive.Champion, Rank: 1}, {Player: "q", Kind: archive.Podium, Rank: 2}, {Player: "r", Kind: archive.Podium, Rank: 3},
	}, noon))
	// p's result was removed: everybody moves up.
	moved := []archive.Award{{Player: "q", Kind: archive.Champion, Rank: 1}, {Player: "r", Kind: archive.Podium, Rank: 2}}
	for range 2 {
		require.NoError(t, a.Achievements.Put(ctx, week, moved, noon.Add(time.Hour)))
		mine, err := a.Achievements.Of(ctx, "r")
		require.NoError(t, err)
		require.Len(t, mine, 1)
		require.True(t, mine[0].AwardedAt.Equal(noon), "it keeps the moment it was given")
		mine[0].AwardedAt = time.Time{}
		require.Equal(t, game.Achievement{Kind: "podium", Rank: 2, Mode: "daily", Period: "week", PeriodKey: "2026-W47", Scope: "global"}, mine[0])
	}
	mine, err := a.Achievements.Of(ctx, "p")
	require.NoError(t, err)
	require.Len(t, mine, 1, "of another board")
	require.Equal(t, "country:BR", mine[0].Scope)
	require.NoError(t, a.Achievements.Put(ctx, week, nil, noon))
	mine, err = a.Achievements.Of(ctx, "q")
	require.NoError(t, err)
	require.Empty(t, mine)
}

func TestSnapshots(t *testing.T) {
	a := open(t)
	week := game.BoardOf(mode(t, "daily", fields{}), game.Week.Of(today), game.Scope{})
	s, err := a.Snapshots.Of(ctx, week)
	require.NoError(t, err)
	require.Nil(t, s)
	exact := math.Nextafter(1234567, 0)
	for _, entries := range [][]archive.SnapshotEntry{
		{{Rank: 1, Player: "p", Score: 1234566, Stored: exact, PreviousRank: 7}, {Rank: 2, Player: "q", Score: -1, Stored: -1e-7}}, {},
	} {
		require.NoError(t, a.Snapshots.Put(ctx, week, archive.Snapshot{Total: 2, Entries: entries, TakenAt: noon}))
		s, err = a.Snapshots.Of(ctx, week)
		require.NoError(t, err)
		require.Equal(t, entries, s.Entries)
		require.True(t, s.TakenAt.Equal(noon))
	}
	require.Error(t, a.Snapshots.Put(ctx, game.BoardOf(week.Mode, game.Day.Of(today), game.Scope{}), archive.Snapshot{TakenAt: noon}), "days have none")
}

func TestSubmissionsAreKeptOnceInStreamOrder(t *testing.T) {
	a := open(t)
	make := func(id, player string) game.Posted {
		return game.Posted{StreamID: id, Mode: "daily", Date: today, Player: player, Stored: 5.5, At: noon}
	}
	first := make("9-10", "p")
	first.Scopes = []game.Scope{scope(t, "country:BR"), scope(t, "group:x")}
	first.Details = json.RawMessage(`{"a": 1}`)
	n, err := a.Submissions.Put(ctx, []game.Posted{make("10-0", "q"), first, make("9-9", "p"), make("9-9", "p")}, "")
	require.NoError(t, err)
	require.Equal(t, int64(3), n)
	n, err = a.Submissions.Put(ctx, []game.Posted{make("10-0", "somebody else"), make("10-1", "r")}, "")
	require.NoError(t, err)
	require.Equal(t, int64(1), n)

	var all []game.Posted
	require.NoError(t, a.Submissions.OfDay(ctx, "daily", today, func(some []game.Posted) error {
		all = append(all, some...)
		return nil
	}))
	for i := range all {
		require.True(t, all[i].At.Equal(noon))
		all[i].At = noon
	}
	require.Equal(t, []game.Posted{make("9-9", "p"), first, make("10-0", "q"), make("10-1", "r")}, all)
	n, err = a.Submissions.Put(ctx, nil, "")
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = a.Submissions.Put(ctx, []game.Posted{make("not-an-id", "p")}, "")
	require.Error(t, err)
}
