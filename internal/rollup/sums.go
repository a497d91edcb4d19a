package rollup

import (
	"iter"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Sums adds up sources, which are read oldest first and in pages. If a source shows a player on
// two of its pages, the later one counts. Sums takes some 110 bytes for each player, however
// many sources and pages there are. That matters since a function has 256 MB, and a week has
// several times as many players as a day.
type Sums struct {
	aggregate game.Aggregate
	all       map[string]*sum
	block     []sum // new sums are taken from it: one slice of all would be copied as it grows
}

// sum is what a player has in the sources read so far.
type sum struct {
	before  float64 // from all sources but that of newest
	newest  float64
	source  int32 // the source of newest
	several bool  // before has at least one source
}

// sumsAtOnce is how many sums are allocated together.
const sumsAtOnce = 1024

func NewSums(a game.Aggregate) *Sums { return &Sums{aggregate: a, all: map[string]*sum{}} }

// Take adds a page of a source.
func (s *Sums) Take(source int, page []rdb.Member) {
	at := int32(source)
	for _, m := range page {
		had := s.all[m.Player]
		switch {
		case had == nil:
			s.all[strings.Clone(m.Player)] = s.add(sum{newest: m.Stored, source: at}) // without a copy, the name would keep the page in memory
		case had.source == at:
			had.newest = m.Stored
		default:
			*had = sum{before: s.of(had), newest: m.Stored, source: at, several: true}
		}
	}
}

func (s *Sums) add(first sum) *sum {
	if len(s.block) == cap(s.block) {
		s.block = make([]sum, 0, sumsAtOnce)
	}
	s.block = append(s.block, first)
	return &s.block[len(s.block)-1]
}

func (s *Sums) of(had *sum) float64 {
	if !had.several {
		return had.newest
	}
	return Combined(s.aggregate, had.before, had.newest)
}

// Players is how many there are.
func (s *Sums) Players() int64 { return int64(len(s.all)) }

// Entries are the players, each once, with what they have in all sources.
func (s *Sums) Entries() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for player, had := range s.all {
			if !yield(player, s.of(had)) {
				return
			}
		}
	}
}
