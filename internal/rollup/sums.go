package rollup

import (
	"iter"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// sums are what sources add up to, which are read oldest first and in pages. A source may
// show a player on two of its pages; the later one holds. They take some 130 bytes for each
// player, however many sources and pages there are: a function has 256 MB, and a week's
// players are several times a day's.
type sums struct {
	aggregate game.Aggregate
	at        map[string]int // of each player in all
	all       []sum
}

// sum is what the sources read so far come to for a player.
type sum struct {
	player  string
	before  float64 // of all but newest's source
	newest  float64
	source  int32 // that newest is of
	several bool  // before is of at least one
}

func newSums(a game.Aggregate) *sums { return &sums{aggregate: a, at: map[string]int{}} }

// take takes a page of a source in.
func (s *sums) take(source int, page []rdb.Member) {
	for _, m := range page {
		i, known := s.at[m.Player]
		if !known {
			player := strings.Clone(m.Player) // the page would stay along with it
			s.at[player] = len(s.all)
			s.all = append(s.all, sum{player: player, newest: m.Stored, source: int32(source)})
			continue
		}
		if had := &s.all[i]; had.source != int32(source) {
			*had = sum{player: had.player, before: s.of(*had), newest: m.Stored, source: int32(source), several: true}
		} else {
			had.newest = m.Stored
		}
	}
}

func (s *sums) of(had sum) float64 {
	if !had.several {
		return had.newest
	}
	return Combined(s.aggregate, had.before, had.newest)
}

// players is how many there are.
func (s *sums) players() int64 { return int64(len(s.all)) }

// entries are the players, each once, with what they come to.
func (s *sums) entries() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, had := range s.all {
			if !yield(had.player, s.of(had)) {
				return
			}
		}
	}
}
