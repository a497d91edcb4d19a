package coldstorage_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/coldstorage"
	"github.com/framedle/leaderboards/internal/feature/coldstorage/s3test"
	"github.com/framedle/leaderboards/internal/game"
)

const rules = `
name: years
modes:
  puzzle: {title: Puzzle, policy: best, min: 0, max: 1000, ties: shared, scopes: [country, region, group], details: true}
  golf: {title: Golf, policy: best, order: asc, aggregate: min, min: 0, max: 90.25, decimals: 2}
`

// monday is the first day of a week that ends in another month.
var monday = game.NewDate(2026, time.October, 26)

// kit is a database with ten days of two modes, eight of them closed for long.
type kit struct {
	*testing.T
	coldstorage.Keeper
}

func newKit(t *testing.T, files coldstorage.Store) *kit {
	k := &kit{t, coldstorage.Keeper{Game: testkit.Game(t, rules), Files: files}}
	now := monday.AddDays(10).Midnight().Add(12 * time.Hour)
	k.Now = func() time.Time { return now }
	k.another()
	for _, m := range k.Game.Modes {
		for n := range 10 {
			k.write(m, monday.AddDays(n), k.results(m, n))
		}
	}
	return k
}

// another puts an empty database in the place of the one that was lost.
func (k *kit) another() { k.Archive = testkit.Archive(k, archivetest.Database(k)) }

func (k *kit) results(m *game.Mode, n int) (all []game.Result) {
	for i := range 1100 {
		r := game.Result{Player: fmt.Sprintf("p%05d", i), Stored: m.Encode(m.Min+game.Score((i*7919+n)%int(m.Max-m.Min)), int64(i))}
		if m.Details {
			r.Details = []byte(fmt.Sprintf(`{"n":%d}`, i))
			group, err := game.GroupScope("red")
			require.NoError(k, err)
			r.Scopes = []game.ScopedResult{{Scope: group, Stored: r.Stored - float64(i%2)}}
		}
		all = append(all, r)
	}
	return all
}

func (k *kit) write(m *game.Mode, d game.Date, results []game.Result) {
	run, err := k.Archive.Days.Begin(k.Context(), m.Name, d, "")
	require.NoError(k, err)
	require.NoError(k, run.Put(k.Context(), results))
	report, err := run.Finish(k.Context(), k.Now())
	require.NoError(k, err)
	require.True(k, report.Complete)
}

func (k *kit) keep(o coldstorage.Options) coldstorage.RunReport {
	report, err := k.Keep(k.Context(), o)
	require.NoError(k, err)
	return report
}

// day is what the archive has of a day, in the board's order.
func (k *kit) day(m *game.Mode, d game.Date) (all []game.Result) {
	require.NoError(k, k.Archive.Boards.Each(k.Context(), game.BoardOf(m, game.Day.Of(d), game.Scope{}), func(page []game.Result) error {
		for _, r := range page {
			r.Details = slices.Clone(r.Details)
			all = append(all, r)
		}
		return nil
	}))
	return all
}

func inBucket(t *testing.T) (*s3test.Bucket, *kit) {
	b := s3test.New(t, "boards")
	s, err := coldstorage.NewS3(t.Context(), coldstorage.Config{Bucket: "boards", Getenv: b.Environment, Client: s3test.AtOnce})
	require.NoError(t, err)
	return b, newKit(t, s)
}

func TestEveryClosedBoardIsKeptOnce(t *testing.T) {
	b, k := inBucket(t)
	report := k.keep(coldstorage.Options{})
	// Of each mode 10 days, the week of October, October; the week and month of November are not over.
	require.Equal(t, 2*12, report.Boards)
	require.Equal(t, 2*12, report.Written)
	require.EqualValues(t, 2*12*1100, report.Rows)
	names := b.Names()
	require.Contains(t, names, "mode=puzzle/period=day/key=2026-10-26/board.parquet")
	require.Contains(t, names, "mode=puzzle/period=week/key=2026-W44/board.parquet")
	require.Contains(t, names, "mode=golf/period=month/key=2026-10/board.parquet")
	before := b.Bytes(names[0])

	b.Asked()
	require.Equal(t, coldstorage.RunReport{Boards: 24, Same: 24}, k.keep(coldstorage.Options{}))
	for _, asked := range b.Asked() {
		require.Contains(t, asked, "HEAD ", "what is kept is not read, and not written")
	}

	// A database that was lost and is filled again has the same boards, and makes the same bytes.
	all := map[string][]byte{}
	for _, name := range names {
		all[name] = b.Bytes(name)
	}
	for _, m := range k.Game.Modes {
		for n := range 10 {
			k.write(m, monday.AddDays(n), k.results(m, n))
		}
	}
	require.Equal(t, coldstorage.RunReport{Boards: 24, Same: 24}, k.keep(coldstorage.Options{}))
	for name, bytes := range all {
		require.Equal(t, bytes, b.Bytes(name))
	}
	require.Equal(t, before, b.Bytes(names[0]))
}

func TestBoardsAreChosenByModeAndDate(t *testing.T) {
	b, k := inBucket(t)
	golf, _ := k.Game.Mode("golf")
	report := k.keep(coldstorage.Options{Modes: []*game.Mode{golf}, From: monday.AddDays(5), To: monday.AddDays(6)})
	require.Equal(t, 4, report.Boards)
	require.Equal(t, []string{
		"mode=golf/period=day/key=2026-10-31/board.parquet", "mode=golf/period=day/key=2026-11-01/board.parquet",
		"mode=golf/period=month/key=2026-10/board.parquet", "mode=golf/period=week/key=2026-W44/board.parquet",
	}, b.Names())
}

// A day that is not archived as it closed is left for later, and so are the periods that
// contain it.
func TestADayThatIsNotWholeIsNotKept(t *testing.T) {
	b, k := inBucket(t)
	puzzle, _ := k.Game.Mode("puzzle")
	k.another()
	k.write(puzzle, monday, k.results(puzzle, 0))
	_, err := k.Archive.Days.BeginSaving(k.Context(), "puzzle", monday.AddDays(1), "", time.Now())
	require.NoError(t, err)
	require.Equal(t, 1, k.keep(coldstorage.Options{}).Boards)
	require.Equal(t, []string{"mode=puzzle/period=day/key=2026-10-26/board.parquet"}, b.Names())
}

func TestWhatHasChangedIsToldAndWrittenWhenAskedFor(t *testing.T) {
	b, k := inBucket(t)
	k.keep(coldstorage.Options{})
	name := "mode=puzzle/period=day/key=2026-10-27/board.parquet"
	before := b.Bytes(name)
	_, err := k.Archive.ErasePlayer(k.Context(), "p00007", game.Act{ID: "1", Actor: "p00007", At: k.Now()})
	require.NoError(t, err)
	report := k.keep(coldstorage.Options{})
	require.Len(t, report.Differ, 24)
	require.Equal(t, before, b.Bytes(name))
	report = k.keep(coldstorage.Options{Replace: true})
	require.Len(t, report.Replaced, 24)
	require.NotEqual(t, before, b.Bytes(name))
	for _, name := range b.Names() {
		require.NotContains(t, string(b.Bytes(name)), "p00007")
	}
	require.Equal(t, 24, k.keep(coldstorage.Options{}).Same)
}

func TestDaysComeBackToTheLastBit(t *testing.T) {
	_, k := inBucket(t)
	k.keep(coldstorage.Options{})
	was := map[string][]game.Result{}
	for _, m := range k.Game.Modes {
		for n := range 10 {
			was[fmt.Sprint(m.Name, n)] = k.day(m, monday.AddDays(n))
		}
	}
	puzzle, _ := k.Game.Mode("puzzle")
	k.another()
	k.write(puzzle, monday, k.results(puzzle, 0)[:5]) // this one is known better here
	report, err := k.Restore(k.Context(), coldstorage.Options{})
	require.NoError(t, err)
	require.Equal(t, coldstorage.Returned{Files: 20, Had: 1, Days: 19, Results: 19 * 1100}, report)
	require.Len(t, k.day(puzzle, monday), 5)
	for _, m := range k.Game.Modes {
		for n := range 10 {
			if m != puzzle || n > 0 {
				require.Equal(t, was[fmt.Sprint(m.Name, n)], k.day(m, monday.AddDays(n)), "%s of day %d", m.Name, n)
			}
		}
	}
	report, err = k.Restore(k.Context(), coldstorage.Options{})
	require.NoError(t, err)
	require.Equal(t, coldstorage.Returned{Files: 20, Had: 20}, report)
}

func TestWhoWasErasedDoesNotComeBack(t *testing.T) {
	_, k := inBucket(t)
	k.keep(coldstorage.Options{})
	k.another()
	_, err := k.Archive.ErasePlayer(k.Context(), "p00007", game.Act{ID: "1", Actor: "p00007", At: k.Now()})
	require.NoError(t, err)
	report, err := k.Restore(k.Context(), coldstorage.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 20, report.Erased)
	puzzle, _ := k.Game.Mode("puzzle")
	require.False(t, slices.ContainsFunc(k.day(puzzle, monday), func(r game.Result) bool { return r.Player == "p00007" }))
}

// Nothing of a file that is not what was written reaches the archive.
func TestLiesAreRefused(t *testing.T) {
	b, k := inBucket(t)
	k.keep(coldstorage.Options{})
	day := func(n int) string {
		return "mode=puzzle/period=day/key=" + monday.AddDays(n).String() + "/board.parquet"
	}
	whole := b.Bytes(day(0))
	flipped := slices.Clone(whole)
	flipped[len(flipped)/3] ^= 0x10
	b.Change(day(0), whole[:len(whole)/2])
	b.Change(day(1), flipped)
	b.Change(day(2), b.Bytes(day(3)))
	b.Change(day(4), []byte("PAR1PAR1"))
	b.Change(day(5), nil)
	k.another()
	report, err := k.Restore(k.Context(), coldstorage.Options{})
	require.ErrorIs(t, err, coldstorage.ErrRefused)
	require.Len(t, report.Refused, 5)
	require.Contains(t, report.Refused[2], "another board")
	require.Equal(t, 15, report.Days)
	puzzle, _ := k.Game.Mode("puzzle")
	for _, n := range []int{0, 1, 2, 4, 5} {
		require.Empty(t, k.day(puzzle, monday.AddDays(n)))
	}
	known, err := k.Archive.Days.Between(k.Context(), "puzzle", monday, monday.AddDays(9))
	require.NoError(t, err)
	require.Len(t, known, 5, "a day that was refused has not begun")
}

// A store that fails in the middle is tried again, up to twice; if it fails for good, the run
// reports it, and the next run continues.
func TestAStoreThatFails(t *testing.T) {
	b, k := inBucket(t)
	n := 0
	b.Fault = func(*http.Request) s3test.Fault {
		if n++; n%3 != 0 {
			return []s3test.Fault{s3test.Busy, s3test.CutBefore, s3test.CutAfter, s3test.HalfAnswer}[n%4]
		}
		return s3test.None
	}
	require.Equal(t, 24, k.keep(coldstorage.Options{}).Boards)
	require.Len(t, b.Names(), 24)
	kept := map[string][]byte{}
	for _, name := range b.Names() {
		kept[name] = b.Bytes(name)
	}
	k.another()
	report, err := k.Restore(k.Context(), coldstorage.Options{})
	require.NoError(t, err)
	require.Equal(t, 20, report.Days)

	b, k = inBucket(t)
	n = 0
	b.Fault = func(*http.Request) s3test.Fault {
		if n++; n > 40 {
			return s3test.Busy
		}
		return s3test.None
	}
	_, err = k.Keep(k.Context(), coldstorage.Options{})
	require.ErrorIs(t, err, coldstorage.ErrUnavailable)
	done := len(b.Names())
	require.Positive(t, done)
	require.Less(t, done, 24)
	b.Fault = nil
	rest := k.keep(coldstorage.Options{})
	require.Equal(t, 24, rest.Written+rest.Same)
	require.InDelta(t, done, rest.Same, 1)
	for name, bytes := range kept {
		require.Equal(t, bytes, b.Bytes(name))
	}
}

// If a store claims to have a file that it does not have, that is noticed at once.
func TestAStoreThatLiesIsFoundOutWhileItIsWritten(t *testing.T) {
	for _, lie := range []s3test.Fault{s3test.Truncated, s3test.Forgotten} {
		b, k := inBucket(t)
		b.Fault = func(r *http.Request) s3test.Fault {
			if r.Method == http.MethodPut {
				return lie
			}
			return s3test.None
		}
		_, err := k.Keep(k.Context(), coldstorage.Options{})
		require.ErrorContains(t, err, "the store accepted")
	}
	b, k := inBucket(t)
	k.keep(coldstorage.Options{})
	b.Fault = func(r *http.Request) s3test.Fault { return s3test.Flipped }
	k.another()
	report, err := k.Restore(k.Context(), coldstorage.Options{})
	require.ErrorIs(t, err, coldstorage.ErrRefused)
	require.Zero(t, report.Days)
}

// The files of a folder that was copied by other means have no words: the files themselves are
// read.
func TestFilesWithoutWordsAreKnownByWhatTheyHold(t *testing.T) {
	folder := t.TempDir()
	k := newKit(t, coldstorage.Folder(folder))
	k.keep(coldstorage.Options{})
	words, err := filepath.Glob(filepath.Join(folder, "*", "*", "*", "*.words.json"))
	require.NoError(t, err)
	require.Len(t, words, 24)
	for _, path := range words {
		require.NoError(t, os.Remove(path))
	}
	damaged := filepath.Join(folder, "mode=golf/period=week/key=2026-W44/board.parquet")
	text, err := os.ReadFile(damaged)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(damaged, text[:len(text)/2], 0o600))
	report := k.keep(coldstorage.Options{})
	require.Equal(t, 23, report.Same)
	require.Equal(t, []string{"mode=golf/period=week/key=2026-W44/board.parquet"}, report.Differ)
	require.Len(t, k.keep(coldstorage.Options{Replace: true}).Replaced, 1)
	back, err := os.ReadFile(damaged)
	require.NoError(t, err)
	require.Equal(t, text, back)
}
