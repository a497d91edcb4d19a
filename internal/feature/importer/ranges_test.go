package importer_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/importer"
)

// drawFile makes a file of good, bad and blank lines.
func drawFile(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("player,mode,date,score\n")
	for i, kind := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 60).Draw(t, "lines") {
		switch kind {
		case 0:
			b.WriteString("\n")
		case 1:
			b.WriteString("nonsense\n")
		default:
			fmt.Fprintf(&b, "user_%d,tally,2026-11-20,%d\n", kind, i)
		}
	}
	return b.String()
}

// A resumed run must send the same bytes under the same keys as the first run would have sent.
func TestAResumedRunSendsTheRestUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawFile(t)
		size := rapid.IntRange(1, 10).Draw(t, "batch")
		whole, err := importer.NewReader(strings.NewReader(text), nil)
		require.NoError(t, err)
		all, err := importer.Requests(whole, size, "hash")
		require.NoError(t, err)
		require.Len(t, distinctKeys(all), len(all))
		if len(all) == 0 {
			return
		}
		done := rapid.IntRange(1, len(all)).Draw(t, "done")
		var first, last int64
		_, err = fmt.Sscanf(all[done-1].Key, "import-hash-%d-%d", &first, &last)
		require.NoError(t, err)
		resumed, err := importer.NewReader(strings.NewReader(text), nil)
		require.NoError(t, err)
		require.NoError(t, resumed.Skip(last))
		rest, err := importer.Requests(resumed, size, "hash")
		require.NoError(t, err)
		require.Equal(t, all[done:], append([]importer.Request{}, rest...))
	})
}

func distinctKeys(all []importer.Request) map[string]bool {
	keys := map[string]bool{}
	for _, request := range all {
		keys[request.Key] = true
	}
	return keys
}

func TestSkipPassesJSONLinesToo(t *testing.T) {
	line := func(score int) string {
		return fmt.Sprintf(`{"player":"user_a","mode":"tally","date":"2026-11-20","score":%d}`+"\n", score)
	}
	for skipped := range 3 {
		reader, err := importer.NewReader(strings.NewReader(line(0)+line(1)+line(2)), nil)
		require.NoError(t, err)
		require.NoError(t, reader.Skip(int64(skipped)))
		next, err := reader.Next()
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(skipped), next.Row.Score)
	}
}

func TestWaitsGrowToTheirLimitAndSpread(t *testing.T) {
	require.Equal(t, 250*time.Millisecond, importer.Backoff(1, 0))
	require.Equal(t, 375*time.Millisecond, importer.Backoff(1, 0.5))
	require.Equal(t, 500*time.Millisecond, importer.Backoff(2, 0))
	require.Equal(t, 15*time.Second, importer.Backoff(10, 0))
}

func TestLinesOfOnePlayerAreNeverUnderWayTwice(t *testing.T) {
	var b strings.Builder
	b.WriteString("player,mode,date,score\n")
	for i := range 400 {
		fmt.Fprintf(&b, "user_%d,tally,2026-11-20,%d\n", i*7%13, i)
	}
	var mu sync.Mutex
	busy := map[string]bool{}
	highest := map[string]int{}
	o := options(fakeClient(t, func(r *http.Request) (*http.Response, error) {
		scores := readScores(t, r)
		players := map[string]bool{}
		mu.Lock()
		for _, s := range scores {
			players[s.Player] = true
			require.Less(t, highest[s.Player], s.Score+1, "scores of a player must come in the file's order")
			highest[s.Player] = s.Score
		}
		for player := range players {
			require.False(t, busy[player], player)
			busy[player] = true
		}
		mu.Unlock()
		answer := accept(len(scores))
		mu.Lock()
		for player := range players {
			delete(busy, player)
		}
		mu.Unlock()
		return answer, nil
	}), write(t, b.String()))
	o.Batch, o.Workers = 3, 8
	summary, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 400, summary.Counts.Accepted)
}

func TestBatchesOfDifferentPlayersAreSentSideBySide(t *testing.T) {
	var b strings.Builder
	b.WriteString("player,mode,date,score\n")
	for i := range 4 {
		fmt.Fprintf(&b, "user_%d,puzzle,2026-11-20,1\n", i)
	}
	var together sync.WaitGroup
	together.Add(4)
	o := options(fakeClient(t, func(*http.Request) (*http.Response, error) {
		together.Done()
		together.Wait() // hangs unless all four are under way at once
		return accept(1), nil
	}), write(t, b.String()))
	o.Batch = 1
	_, err := importer.Run(t.Context(), o)
	require.NoError(t, err)
}
