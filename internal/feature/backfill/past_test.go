package backfill_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/backfill"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

var noon = time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)

const header = "player,mode,date,score\n"

// row is what the archive has of a player's day, "" for nothing.
func (k *kit) row(mode, player, date string) string {
	k.t.Helper()
	d, err := game.ParseDate(date)
	require.NoError(k.t, err)
	rows, err := k.archive().Results.Of(context.Background(), player, d, d)
	require.NoError(k.t, err)
	for _, r := range rows {
		if r.Mode == mode {
			return k.mode(mode).FormatScore(r.Score())
		}
	}
	return ""
}

func TestEachPolicySaysWhatStands(t *testing.T) {
	k := newKit(t, "", noon)
	k.bringIn(k.options(`player,mode,played_at,score
a,first,2026-12-31T09:00:00Z,5
a,first,2026-12-31T08:00:00Z,3
a,best,2026-12-31T09:00:00Z,5
a,best,2026-12-31T08:00:00Z,3
a,fastest,2026-12-31T09:00:00Z,5.25
a,fastest,2026-12-31T08:00:00Z,3
a,latest,2026-12-31T09:00:00Z,5
a,latest,2026-12-31T08:00:00Z,3
a,coins,2026-12-31T09:00:00Z,5
a,coins,2026-12-31T08:00:00Z,3
`, `{"player":"b","mode":"first","date":"2026-12-31","score":5}
{"player":"b","mode":"first","date":"2026-12-31","score":3}
{"player":"b","mode":"latest","date":"2026-12-31","score":5}
{"player":"b","mode":"latest","date":"2026-12-31","score":3}
`))
	for mode, score := range map[string]string{"first": "3", "best": "5", "fastest": "3", "latest": "5", "coins": "8"} {
		require.Equal(t, score, k.row(mode, "a", "2026-12-31"), mode)
	}
	require.Equal(t, "5", k.row("first", "b", "2026-12-31"), "without a time, lines count in their order")
	require.Equal(t, "3", k.row("latest", "b", "2026-12-31"))
	k.agree()
}

func TestValuesOfThePastAreTakenIn(t *testing.T) {
	k := newKit(t, "", noon)
	k.game = testkit.Game(t, "name: testing\nmodes:\n  typed: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]}\n")
	k.bringIn(k.options("player,mode,date,values.wpm,values.accuracy\na,typed,2026-12-31,92.5,98.2\na,typed,2026-12-31,92.5,98.19\nb,typed,2026-12-31,92.49,100\n"))
	require.Equal(t, "92519070", k.row("typed", "a", "2026-12-31"), "the best")
	require.Equal(t, "92509249", k.row("typed", "b", "2026-12-31"))
}

func TestATimeGivesTheDateByTheGamesDayRule(t *testing.T) {
	k := newKit(t, "", noon)
	k.bringIn(k.options("player,mode,played_at,score\na,first,2026-12-31T23:30:00-05:00,5\n"))
	require.Equal(t, "5", k.row("first", "a", "2027-01-01"))

	k = newKit(t, "", noon)
	k.game = testkit.Game(t, "day: local\n"+testGame)
	k.bringIn(k.options("player,mode,played_at,score\na,first,2026-12-31T23:30:00-05:00,5\n"))
	require.Equal(t, "5", k.row("first", "a", "2026-12-31"))
	_, err := backfill.Run(context.Background(), k.options("player,mode,played_at,score\na,first,2026-12-31 23:30:00,5\n"))
	require.ErrorAs(t, err, new(*backfill.LinesError))
}

func TestWrongLinesAreNamedAndNothingIsWritten(t *testing.T) {
	k := newKit(t, "", noon)
	o := k.options(`player,mode,date,score,groups,details,country,played_at
a,first,2026-12-31,5,,,,
a b,first,2026-12-31,5,,,,
a,nothing,2026-12-31,5,,,,
a,first,2026-12-31,5000,,,,
a,first,2027-03-10,5,,,,
a,first,,5,,,,
a,first,2026-12-31,5,a!,,,
a,first,2026-12-31,5,,{,,
a,fastest,2026-12-31,5,,{},,
a,first,2026-12-31,5,,,XX1,
a,first,2026-12-31,5,,,,yesterday
`)
	dry := o
	dry.DryRun = true
	summary := k.bringIn(dry)
	require.EqualValues(t, 10, summary.Refused.Count)
	var said []string
	for _, r := range summary.Refused.Examples {
		said = append(said, fmt.Sprint(r.Line, " ", strings.SplitN(r.Reason, ":", 2)[0]))
	}
	require.Equal(t, []string{"3 player", "4 mode", "5 score", "6 date", "7 date", "8 groups", "9 details", "10 details", "11 country", "12 played_at"}, said)
	_, err := os.Stat(o.Files[0] + ".rejected.csv")
	require.ErrorIs(t, err, os.ErrNotExist)

	summary, err = backfill.Run(context.Background(), o)
	require.ErrorAs(t, err, new(*backfill.LinesError))
	require.Empty(t, k.row("first", "a", "2026-12-31"))
	report, err := os.ReadFile(o.Files[0] + ".rejected.csv")
	require.NoError(t, err)
	require.Equal(t, 11, bytes.Count(report, []byte("\n")))

	o.Skip = true
	summary = k.bringIn(o)
	require.EqualValues(t, 1, summary.Entries)
	require.Equal(t, "5", k.row("first", "a", "2026-12-31"))
}

// A line's number alone does not say where to look.
func TestWrongLinesOfSeveralFilesAreNamedWithTheirFile(t *testing.T) {
	k := newKit(t, "", noon)
	adding := header + strings.Repeat("a,coins,2026-12-31,500\n", 11)
	o := k.options(header+"a,nothing,2026-12-31,5\n", adding)
	o.DryRun = true
	examples := k.bringIn(o).Refused.Examples
	require.Len(t, examples, 2)
	require.Contains(t, examples[0].Reason, "past0: mode: ")
	require.Contains(t, examples[1].Reason, "past1: coins: the total of a ")
	require.Contains(t, examples[1].Kind, "past1: the day's total")
}

func TestADaysTotalOutOfBoundsIsRefused(t *testing.T) {
	k := newKit(t, "", noon)
	text := header
	for range 11 {
		text += "a,coins,2026-12-31,500\n"
	}
	o := k.options(text)
	summary, err := backfill.Run(context.Background(), o)
	require.ErrorAs(t, err, new(*backfill.LinesError))
	require.EqualValues(t, 12, summary.Refused.Examples[0].Line)
	o.Skip = true
	k.bringIn(o)
	require.Equal(t, "5000", k.row("coins", "a", "2026-12-31"))
}

func TestColumnsGoByOtherNamesAndFilesMayBePacked(t *testing.T) {
	k := newKit(t, "", noon)
	o := k.options("", `{"user_id":"b","points":7,"at":"2026-12-30T10:00:00Z","app":"ios"}`)
	o.Layout.Rename = map[string]string{"user_id": "player", "points": "score", "at": "played_at"}
	o.Layout.Ignore = []string{"app"}
	o.Mode = k.mode("best")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte("User_ID,points,at,app\na,5,2026-12-30 10:00:00+00,web\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(o.Files[0], packed.Bytes(), 0o600))
	k.bringIn(o)
	require.Equal(t, "5", k.row("best", "a", "2026-12-30"))
	require.Equal(t, "7", k.row("best", "b", "2026-12-30"))
}

func TestTheSameAgainChangesNothingAndMoreIsTakenIn(t *testing.T) {
	k := newKit(t, "", noon)
	first := header + "a,coins,2026-12-30,5\nb,coins,2026-12-30,7\n"
	k.bringIn(k.options(first))
	before, boards := k.history(), k.boards()
	again := k.bringIn(k.options(first))
	require.Equal(t, k.now, again.DoneAt)
	require.Equal(t, before, k.history())
	require.Equal(t, boards, k.boards())

	summary := k.bringIn(k.options(first + "a,coins,2026-12-31,9\n"))
	require.Equal(t, []backfill.Share{{Days: 1, Entries: 2}, {Days: 1, Entries: 1}, {}}, []backfill.Share{summary.Same, summary.Fresh, summary.Living})
	require.Equal(t, "5", k.row("coins", "a", "2026-12-30"))
	require.Equal(t, "9", k.row("coins", "a", "2026-12-31"))
	k.agree()
	d, err := game.ParseDate("2026-12-31")
	require.NoError(t, err)
	for _, kind := range []game.PeriodKind{game.Week, game.Month} {
		top, err := k.archive().Snapshots.Of(context.Background(), game.BoardOf(k.mode("coins"), kind.Of(d), game.Scope{}))
		require.NoError(t, err)
		require.EqualValues(t, 14, top.Entries[0].Score, "the top that was taken before has the new day too")
	}
}

func TestDaysThatAreHereOtherwiseAreRefusedOrMergedByPolicy(t *testing.T) {
	k := newKit(t, "", noon)
	k.bringIn(k.options(header +
		"a,coins,2026-12-30,5\nb,coins,2026-12-30,7\n" +
		"a,best,2026-12-30,5\nb,best,2026-12-30,7\na,fastest,2026-12-30,5\n"))
	before := k.history()
	o := k.options(header +
		"a,coins,2026-12-30,10\nc,coins,2026-12-30,1\n" +
		"a,best,2026-12-30,10\nb,best,2026-12-30,3\na,fastest,2026-12-30,9\na,first,2026-12-30,4\n")
	_, err := backfill.Run(context.Background(), o)
	var differs *backfill.DifferError
	require.ErrorAs(t, err, &differs)
	require.ErrorContains(t, err, "coins 2026-12-30: 0 players equal in the archive, 1 different, 1 only in the files, 1 only in the archive")
	require.Len(t, differs.Days, 3)
	require.Equal(t, before, k.history())

	o.Merge = true
	k.bringIn(o)
	for at, score := range map[string]string{
		"coins a": "15", "coins b": "7", "coins c": "1", "best a": "10", "best b": "7", "fastest a": "5", "first a": "4",
	} {
		mode, player, _ := strings.Cut(at, " ")
		require.Equal(t, score, k.row(mode, player, "2026-12-30"), at)
	}
	k.agree()
	merged := k.history()
	k.bringIn(o)
	require.Equal(t, merged, k.history(), "a total is added once")
}

func TestBansAndErasuresAreRespected(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	require.NoError(t, k.process().Store.Notices.Ban(ctx, "banned"))
	_, err := k.archive().ErasePlayer(ctx, "left", game.Act{ID: "1", Actor: "me", At: noon.Add(-time.Hour)})
	require.NoError(t, err)
	summary := k.bringIn(k.options("player,mode,date,score,name\n" +
		"banned,first,2026-12-31,5,Bad\nleft,first,2026-12-31,5,Gone\nleft,first,2027-03-08,5,Gone\na,first,2026-12-31,5,Ana\n"))
	require.EqualValues(t, 1, summary.Banned)
	require.EqualValues(t, 2, summary.Erased)
	require.Empty(t, k.row("first", "banned", "2026-12-31"))
	require.Empty(t, k.row("first", "left", "2026-12-31"))
	require.Equal(t, "5", k.row("first", "a", "2026-12-31"))
	p, err := k.process().Store.Players.ProfileOf(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, "Ana", p.Name)
	p, err = k.process().Store.Players.ProfileOf(ctx, "left")
	require.NoError(t, err)
	require.Empty(t, p)
	k.agree()
}

// Players who were banned or erased since an import do not keep a longer one out: it leaves them
// out, whether their old entries are still here or not.
func TestALongerExportMayFollowABanAndAnErasure(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	yesterday := game.DateOf(noon).AddDays(-1).String()
	first := "player,mode,played_at,score\n"
	for _, player := range []string{"a", "banned", "left"} {
		first += player + ",coins,2026-12-30T10:00:00Z,5\n" + player + ",coins," + yesterday + "T10:00:00Z,7\n"
	}
	k.bringIn(k.options(first))
	require.NoError(t, k.process().Store.Notices.Ban(ctx, "banned"))
	_, err := k.archive().ErasePlayer(ctx, "left", game.Act{ID: "1", Actor: "me", At: noon})
	require.NoError(t, err)
	_, err = k.redis.Server.Redis().Do(ctx, "ZREM", game.DayBoardKey("coins", game.DateOf(noon).AddDays(-1)), "left")
	require.NoError(t, err)

	o := k.options(first + "a,coins,2026-12-31T10:00:00Z,9\n")
	o.Force = true // the erasure above took nobody off what is rolled up
	summary := k.bringIn(o)
	require.Equal(t, 2, summary.Same.Days)
	require.Equal(t, 1, summary.Fresh.Days)
	require.Equal(t, "9", k.row("coins", "a", "2026-12-31"))
	require.Equal(t, "5", k.row("coins", "banned", "2026-12-30"))
	require.Empty(t, k.row("coins", "left", "2026-12-30"))
}

// A dry run is refused where the import would be.
func TestADryRunDoesAllChecks(t *testing.T) {
	ctx := context.Background()
	for name, wrong := range map[string]struct {
		does func(k *kit)
		says string
	}{
		"the history knows less": {func(k *kit) {
			d := game.DateOf(noon).AddDays(-2)
			k.live(d, 1, []played{{mode: "best", player: "p1", score: 3, at: d.Midnight()}})
			k.now = noon
			k.kept, k.url = nil, archivetest.Database(t)
			_, err := k.redis.Server.Redis().Do(ctx, "ZADD", game.XPBaseKey, "7", "p1")
			require.NoError(t, err)
		}, "the archive has less than Redis"},
		"they differ": {func(k *kit) {
			_, err := k.redis.Server.Redis().Do(ctx, "ZADD", game.RolledUpKey(game.BoardOf(k.mode("best"), game.AllTime.Of(game.Date{}), game.Scope{}).Key), "7", "x")
			require.NoError(t, err)
		}, "redis and the archive differ"},
		"maintenance": {func(k *kit) {
			_, err := k.process().Store.Notices.Maintain(ctx, control.Maintenance{Since: noon, Until: noon.Add(time.Hour), Reason: "moving"})
			require.NoError(t, err)
		}, "maintenance"},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, "", noon)
			wrong.does(k)
			for _, dry := range []bool{true, false} {
				o := k.options(header + "a,best,2026-12-31,9\n")
				o.DryRun = dry
				_, err := backfill.Run(ctx, o)
				require.ErrorContains(t, err, wrong.says, "dry run: %v", dry)
				require.Empty(t, k.row("best", "a", "2026-12-31"))
			}
		})
	}
}

// A dry run closes no days, so it says that it could not compare those that the import would
// close first.
func TestADryRunSaysWhatItHasNotCompared(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	d := game.DateOf(noon).AddDays(-1)
	_, err := k.process().Store.Boards.Submit(ctx, game.Submission{Mode: k.mode("best"), Player: "p1", Date: d, Score: 4, At: d.Midnight()})
	require.NoError(t, err)
	o := k.options(header + "a,best,2026-12-31,9\n")
	o.DryRun = true
	before := k.boards()
	summary, err := backfill.Run(ctx, o)
	require.NoError(t, err)
	require.Equal(t, 1, summary.Unclosed)
	require.Equal(t, before, k.boards())
	o.DryRun = false
	require.Zero(t, k.bringIn(o).Unclosed)
}

// An import does not overwrite what a product knows of its players.
func TestNewerNamesAndHiddenPlayersStay(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	require.NoError(t, k.process().Store.Players.KeepProfile(ctx, "a", game.Profile{Name: "New"}))
	require.NoError(t, k.archive().Profiles.Put(ctx, []game.PlayerProfile{
		{Player: "a", Profile: game.Profile{Name: "New"}, UpdatedAt: noon}, {Player: "b", Profile: game.Profile{Hidden: true}, UpdatedAt: noon.AddDate(-1, 0, 0)},
	}))
	k.bringIn(k.options("player,mode,date,score,name,country\na,first,2026-12-31,5,Old,BR\nb,first,2026-12-31,5,Bea,\n"))
	p, err := k.process().Store.Players.ProfileOf(ctx, "a")
	require.NoError(t, err)
	require.Equal(t, game.Profile{Name: "New", Country: "BR"}, p)
	kept, err := k.archive().Profiles.Of(ctx, []string{"a", "b"})
	require.NoError(t, err)
	require.Equal(t, "New", kept[0].Name)
	require.Equal(t, "BR", kept[0].Country)
	require.Equal(t, "Bea", kept[1].Name)
	require.True(t, kept[1].Hidden)
}

// A running product imports its past while players play: today's plays, streaks and months
// stay and go on.
func TestALivingProductTakesItsPastIn(t *testing.T) {
	onEngines(t, func(t *testing.T, redis func() string) {
		ctx := context.Background()
		k := newKit(t, redis(), noon)
		first := game.DateOf(noon).AddDays(-12)
		var plays []played
		for n := range 13 {
			for _, m := range k.game.Modes {
				plays = append(plays, played{mode: m.Name, player: "p1", score: 3, at: first.AddDays(n).Midnight().Add(time.Hour)})
			}
		}
		k.live(first, 12, plays)
		k.now = noon
		k.expire()
		for _, m := range k.game.Modes {
			_, err := k.process().Store.Boards.Submit(ctx, game.Submission{Mode: m, Player: "p1", Date: game.DateOf(noon), Score: 4, At: noon, Idempotency: game.IdempotencyRecord{ID: m.Name, Fingerprint: "f"}})
			require.NoError(t, err)
		}
		before := k.people()["p1"]
		require.Equal(t, 13, before.Streak.Current)
		text := header
		for n := range 30 {
			for _, m := range k.game.Modes {
				text += fmt.Sprintf("p1,%s,%s,3\n", m.Name, first.AddDays(n-30))
			}
		}
		k.bringIn(k.options(text))
		k.agree()
		me := k.people()["p1"]
		require.Equal(t, 43, me.Streak.Current)
		require.Equal(t, before.XP+30*(4+30+2), me.XP) // of first, fastest and coins
		all := k.process().Store
		page, err := all.Boards.Page(ctx, game.BoardOf(k.mode("coins"), game.AllTime.Of(first), game.Scope{}), game.PageRequest{Limit: 5})
		require.NoError(t, err)
		require.EqualValues(t, 42*3+4, page.Entries[0].Score)
		month, err := all.Boards.Page(ctx, game.BoardOf(k.mode("coins"), game.Month.Of(game.DateOf(noon)), game.Scope{}), game.PageRequest{Limit: 5})
		require.NoError(t, err)
		require.EqualValues(t, 9*3+4, month.Entries[0].Score)
	})
}

// A day that was played here and is still in Redis is not touched.
func TestDaysInRedisAreNotMerged(t *testing.T) {
	k := newKit(t, "", noon)
	yesterday := game.DateOf(noon).AddDays(-1)
	k.live(yesterday, 1, []played{{mode: "best", player: "p1", score: 3, at: yesterday.Midnight()}})
	k.now = noon
	o := k.options(header + "p1,best," + yesterday.String() + ",9\n")
	o.Merge = true
	_, err := backfill.Run(context.Background(), o)
	require.ErrorContains(t, err, "are not merged")
	require.Equal(t, "3", k.row("best", "p1", yesterday.String()))
}

// Making boards from the archive would lose what only Redis has.
func TestAProductThatDoesNotAgreeIsLeftAlone(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	_, err := k.redis.Server.Redis().Do(ctx, "ZADD", game.RolledUpKey(game.BoardOf(k.mode("best"), game.AllTime.Of(game.Date{}), game.Scope{}).Key), "7", "x")
	require.NoError(t, err)
	o := k.options(header + "a,best,2026-12-31,9\n")
	_, err = backfill.Run(ctx, o)
	require.ErrorIs(t, err, backfill.ErrDiffer)
	require.Empty(t, k.row("best", "a", "2026-12-31"))
}

func TestASecondImportWaitsForOneThatWasCutOff(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	require.NoError(t, backfill.NewTable(k.archive(), "other").Begin(ctx, "other.csv", noon))
	o := k.options(header + "a,best,2026-12-31,9\n")
	_, err := backfill.Run(ctx, o)
	require.ErrorContains(t, err, "other.csv was interrupted")
	o.Force = true
	k.bringIn(o)
	require.Equal(t, "9", k.row("best", "a", "2026-12-31"))
}

// Boards are made under the locks of the schedules. An import that cannot get a lock says so,
// and continues from there the next time.
func TestAScheduleAtWorkIsWaitedFor(t *testing.T) {
	ctx := context.Background()
	k := newKit(t, "", noon)
	o := k.options(header + "a,best,2026-12-31,9\n")
	_, err := k.process().Store.DB.WithLock(ctx, "weekly", func(ctx context.Context) error {
		_, err := backfill.Run(ctx, o)
		require.ErrorIs(t, err, closing.ErrAtWork)
		return nil
	})
	require.NoError(t, err)
	require.Zero(t, len(k.history()["achievements"]))
	k.bringIn(o)
	require.NotZero(t, len(k.history()["achievements"]))
	k.agree()
}
