package heavy_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/usage/heavy"
)

// spends draws what names spend in order: some names are drawn far more often.
func spends(t *rapid.T, add func(name string, spent int64)) {
	names := rapid.IntRange(1, 300).Draw(t, "names")
	for range rapid.IntRange(0, 400).Draw(t, "times") {
		n := rapid.IntRange(0, names-1).Draw(t, "name")
		if rapid.Bool().Draw(t, "dear") {
			n %= 5
		}
		add(fmt.Sprint("player:user_", n), rapid.Int64Range(0, 30).Draw(t, "spent"))
	}
}

// Any names may spend in any number of processes: the bounds of each name hold, and no name
// above a 16th is left out.
func TestBoundsHoldForEveryName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exact, total := map[string]int64{}, int64(0)
		var records []heavy.Record
		for range rapid.IntRange(1, 4).Draw(t, "processes") {
			var s heavy.Sketch
			own, all := map[string]int64{}, int64(0)
			spends(t, func(name string, spent int64) {
				s.Add(name, spent)
				own[name] += spent
				all += spent
			})
			r := s.Record()
			require.Equal(t, all, r.Total)
			require.LessOrEqual(t, r.Rest, all/heavy.Share)
			require.Less(t, len(r.Entries), heavy.Share)
			requireBounds(t, own, heavy.Merge([]heavy.Record{r}))
			back, err := heavy.ParseRecord(r.String())
			require.NoError(t, err)
			require.Equal(t, r, back)
			records = append(records, back)
			for name, spent := range own {
				exact[name] += spent
			}
			total += all
		}
		s := heavy.Merge(records)
		require.Equal(t, total, s.Total)
		require.LessOrEqual(t, s.OthersAtMost, total/heavy.Share)
		requireBounds(t, exact, s)
		requireBounds(t, exact, s.Top(2))

		exact["server:1a2b3c4d"] = 70
		s = s.With("server:1a2b3c4d", 70)
		require.Equal(t, total+70, s.Total)
		requireBounds(t, exact, s)
	})
}

// requireBounds compares a summary with what was spent.
func requireBounds(t *rapid.T, exact map[string]int64, s heavy.Summary) {
	others := maps.Clone(exact)
	for i, b := range s.Spenders {
		require.LessOrEqual(t, b.AtLeast, exact[b.Name], b.Name)
		require.GreaterOrEqual(t, b.AtMost, exact[b.Name], b.Name)
		require.True(t, i == 0 || s.Spenders[i-1].AtLeast >= b.AtLeast, "largest first")
		delete(others, b.Name)
	}
	for name, spent := range others {
		require.LessOrEqual(t, spent, s.OthersAtMost, name)
	}
}

func TestFewNamesAreCountedExactly(t *testing.T) {
	var s heavy.Sketch
	for range 10 {
		s.Add("a", 9)
		s.Add("b", 2)
		s.Add("c", 0)
	}
	require.Equal(t, "110 0 a 90 0 b 20 0", s.Record().String())
	require.Equal(t, heavy.Summary{Total: 110, Spenders: []heavy.Spender{{"a", 90, 90}, {"b", 20, 20}}}, heavy.Merge([]heavy.Record{s.Record()}))
	require.Equal(t, "0 0", new(heavy.Sketch).Record().String())
}

// A name that comes late takes over a slot, and may count what was in it.
func TestALateNameIsKnownBetweenBounds(t *testing.T) {
	var s heavy.Sketch
	for i := range 100 {
		s.Add(fmt.Sprint("early", i), 10)
	}
	for range 30 {
		s.Add("late", 10)
	}
	require.Equal(t, "1300 20 late 310 10", s.Record().String())
	require.Equal(t, []heavy.Spender{{"late", 300, 310}}, heavy.Merge([]heavy.Record{s.Record()}).Spenders)
}

func TestARecordIsSmall(t *testing.T) {
	var s heavy.Sketch
	for i := range 1000 {
		s.Add(fmt.Sprintf("player:%0128d", i%15), 1_000_000_000)
	}
	require.Len(t, s.Record().Entries, 15)
	require.LessOrEqual(t, len(s.Record().String()), 2500)
}

func TestWhatIsNoRecordIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "1", "1 2 a", "1 2 a 3", "-1 0", "1 x", "5 0 a 3 4", "5 0  3 0", "5 0 a 3 0 ", "1  2", "1000000000001 0", "1 0 a 1000000000001 0",
		"1 0" + strings.Repeat(" a 1 0", 17),
	} {
		_, err := heavy.ParseRecord(text)
		require.ErrorContains(t, err, "no record of callers", text)
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add("110 3 player:user_a 90 0 network:203.0.113.0/24 20 4")
	f.Add("0 0")
	f.Add("1 2 3")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := heavy.ParseRecord(text)
		if err != nil {
			return
		}
		again, err := heavy.ParseRecord(r.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}
