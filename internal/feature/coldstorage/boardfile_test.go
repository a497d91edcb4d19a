package coldstorage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/coldstorage"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

const fileRules = `
name: files
modes:
  puzzle: {title: Puzzle, policy: best, min: -50, max: 1000, ties: shared, scopes: [country, group], details: true}
  golf: {title: Golf, policy: best, order: asc, min: 0, max: 90.25, decimals: 2}
  typing:
    title: Typing
    policy: best
    score:
      - {name: wpm, min: 0, max: 300, decimals: 1}
      - {name: accuracy, min: 0, max: 100}
`

var day = game.NewDate(2026, time.November, 21)

func gameOf(t require.TestingT) *game.Game {
	g, err := gamefile.Parse("files.yaml", []byte(fileRules))
	require.NoError(t, err)
	return g
}

func boardOf(t require.TestingT, mode string, p game.Period) game.Board {
	g := gameOf(t)
	m, ok := g.ModeCalled(mode)
	require.True(t, ok)
	return game.BoardOf(m, p, game.Scope{})
}

// resultsOf are n results of a board, in its order.
func resultsOf(b game.Board, n int) []game.Result {
	all := make([]game.Result, n)
	span := int(b.Mode.Max-b.Mode.Min) + 1
	for i := range all {
		score := b.Mode.Min + game.Score(i*7919%span)
		all[i] = game.Result{Player: fmt.Sprintf("user_%06d", i), Stored: b.Mode.Encode(score, int64(i%3))}
		if b.Period.Kind() == game.Day {
			all[i].Details = json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
			group, _ := game.GroupScope("red")
			all[i].Scopes = []game.ScopedResult{{Scope: group, Stored: all[i].Stored - float64(i%2)}}
		}
	}
	return inOrder(b, all)
}

func inOrder(b game.Board, all []game.Result) []game.Result {
	entries, byPlayer := make([]game.Entry, len(all)), map[string]game.Result{}
	for i, r := range all {
		entries[i], byPlayer[r.Player] = game.Entry{Player: r.Player, Stored: r.Stored}, r
	}
	b.Sort(entries)
	sorted := make([]game.Result, len(all))
	for i, e := range entries {
		sorted[i] = byPlayer[e.Player]
	}
	return sorted
}

func pagesOf(all []game.Result) coldstorage.Results {
	return func(each func([]game.Result) error) error {
		for page := range slices.Chunk(all, 999) {
			if err := each(page); err != nil {
				return err
			}
		}
		return nil
	}
}

func write(t require.TestingT, b game.Board, all []game.Result) []byte {
	var file bytes.Buffer
	head, err := coldstorage.Write(&file, "files", b, pagesOf(all))
	require.NoError(t, err)
	require.EqualValues(t, len(all), head.Rows)
	return file.Bytes()
}

func read(b game.Board, file []byte) ([]game.Result, error) {
	f, err := coldstorage.OpenFile(bytes.NewReader(file), int64(len(file)), "files", b)
	if err != nil {
		return nil, err
	}
	var all []game.Result
	err = f.Each(func(page []game.Result) error { all = append(all, page...); return nil })
	return all, err
}

func TestAFileHasABoardToTheLastBit(t *testing.T) {
	for _, mode := range []string{"puzzle", "golf", "typing"} {
		for _, n := range []int{0, 1, 70_000} { // more than one group of rows
			b := boardOf(t, mode, game.Day.Of(day))
			all := resultsOf(b, n)
			file := write(t, b, all)
			require.Equal(t, file, write(t, b, all), "a second run gives the same bytes")
			back, err := read(b, file)
			require.NoError(t, err)
			require.Len(t, back, n)
			for i := range back {
				require.Equal(t, math.Float64bits(all[i].Stored), math.Float64bits(back[i].Stored))
				require.Equal(t, all[i], back[i])
			}
		}
	}
}

func TestAWeeksFileHasNeitherScopesNorDetails(t *testing.T) {
	b := boardOf(t, "puzzle", game.Week.Of(day))
	all := resultsOf(boardOf(t, "puzzle", game.Day.Of(day)), 10)
	back, err := read(b, write(t, b, all))
	require.NoError(t, err)
	for i := range back {
		require.Equal(t, game.Result{Player: all[i].Player, Stored: all[i].Stored}, back[i])
	}
}

// Rows that are not in board order would have wrong ranks.
func TestResultsOutOfOrderAreRefused(t *testing.T) {
	b := boardOf(t, "puzzle", game.Day.Of(day))
	all := resultsOf(b, 10)
	for name, wrong := range map[string][]game.Result{
		"turned": {all[1], all[0]}, "twice": {all[0], all[0]}, "not a number": {{Player: "a", Stored: math.NaN()}},
	} {
		_, err := coldstorage.Write(&bytes.Buffer{}, "files", b, pagesOf(wrong))
		require.Error(t, err, name)
	}
}

func TestAnotherBoardsFileIsRefused(t *testing.T) {
	b := boardOf(t, "puzzle", game.Day.Of(day))
	file := write(t, b, resultsOf(b, 10))
	for _, other := range []game.Board{
		boardOf(t, "golf", game.Day.Of(day)), boardOf(t, "puzzle", game.Day.Of(day.AddDays(1))), boardOf(t, "puzzle", game.Week.Of(day)),
	} {
		_, err := read(other, file)
		require.ErrorIs(t, err, coldstorage.ErrOtherBoard)
	}
	_, err := coldstorage.OpenFile(bytes.NewReader(file), int64(len(file)), "another game", b)
	require.ErrorIs(t, err, coldstorage.ErrOtherBoard)
	changed := *b.Mode
	changed.Decimals = 2
	b.Mode = &changed
	_, err = read(b, file)
	require.ErrorIs(t, err, coldstorage.ErrOtherBoard)
	require.ErrorContains(t, err, "decimals")
}

// A file that is cut off, or has any byte changed, is refused or still has the same rows:
// never others.
func TestAChangedFileNeverGivesOtherRows(t *testing.T) {
	b := boardOf(t, "puzzle", game.Day.Of(day))
	all := resultsOf(b, 12)
	file := write(t, b, all)
	for n := 0; n < len(file); n += 3 {
		_, err := read(b, file[:n])
		require.Error(t, err, "cut off after %d bytes", n)
	}
	refused := 0
	for n := range file {
		changed := slices.Clone(file)
		changed[n] ^= []byte{0x01, 0x80, 0xff}[n%3]
		back, err := read(b, changed)
		if err != nil {
			refused++
			continue
		}
		require.Equal(t, all, back, "byte %d changed", n)
	}
	require.Greater(t, refused, len(file)/4, "many changes are seen")
}

func FuzzOpen(f *testing.F) {
	b := boardOf(f, "puzzle", game.Day.Of(day))
	f.Add(write(f, b, resultsOf(b, 3)))
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, file []byte) { _, _ = read(b, file) })
}

func TestAnyResultsComeBack(t *testing.T) {
	b := boardOf(t, "golf", game.Day.Of(day))
	rapid.Check(t, func(t *rapid.T) {
		players := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Za-z0-9_.:@-]{1,40}`), 0, 40, rapid.ID).Draw(t, "players")
		all := make([]game.Result, len(players))
		for i, player := range players {
			all[i] = game.Result{Player: player, Stored: rapid.Float64Range(-1<<53, 1<<53).Draw(t, "stored")}
		}
		all = inOrder(b, all)
		back, err := read(b, write(t, b, all))
		require.NoError(t, err)
		require.Equal(t, len(all), len(back))
		for i := range back {
			require.Equal(t, all[i], back[i])
		}
	})
}
