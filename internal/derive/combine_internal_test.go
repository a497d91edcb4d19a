package derive

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// Sources that are read in pages, which show players twice while the board changes, add
// up to what the whole sources do.
func TestPagesAddUpToWhatWholeSourcesDo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		aggregate := rapid.SampledFrom([]game.Aggregate{game.Sum, game.Max, game.Min, game.Last}).Draw(rt, "aggregate")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		want, s := map[string]float64{}, NewSums(aggregate)
		for source := range rapid.IntRange(0, 7).Draw(rt, "sources") {
			whole := map[string]float64{}
			for range r.IntN(5) {
				var page []redis.Member
				for range r.IntN(8) {
					m := redis.Member{Player: fmt.Sprint("p", r.IntN(9)), Stored: r.Float64()*10 - 5}
					page, whole[m.Player] = append(page, m), m.Stored
				}
				s.Take(source, page)
			}
			AddTo(want, whole, aggregate)
		}
		require.Equal(rt, want, maps.Collect(s.Entries()), "to the last bit")
		require.EqualValues(rt, len(want), s.Players())
	})
}

// The memory depends on the number of players, not on how much was read of them.
func TestSumsKeepNothingOfThePagesTheyHaveRead(t *testing.T) {
	const players, perPage, sources = 50_000, 5_000, 14
	s := NewSums(game.Sum)
	before := heap()
	for source := range sources {
		for from := 0; from < players; from += perPage {
			var text strings.Builder // a page's players share the memory of its answer
			for i := range perPage {
				fmt.Fprintf(&text, "user_%027d", from+i)
			}
			page := make([]redis.Member, perPage)
			for i := range page {
				page[i] = redis.Member{Player: text.String()[i*32 : (i+1)*32], Stored: float64(i)}
			}
			s.Take(source, page)
		}
	}
	each := (heap() - before) / players
	require.EqualValues(t, players, s.Players())
	require.Less(t, each, 200, "bytes for each player")
}

// heap is what is left of the heap once garbage is collected, in bytes.
func heap() int {
	runtime.GC()
	runtime.GC() // what the first one has only marked for finalizers and pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
