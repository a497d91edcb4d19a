package rollup

import (
	"iter"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Sums are what sources add up to, which are read oldest first and in pages. A source may
// show a player on two of its pages; the later one holds. They take some 110 bytes for each
// player, however many sources and pages there are: a function has 256 MB, and a week's
// players are several times a day's.
type Sums struct {
	aggregate game.Aggregate
	all       map[string]*sum
	block     []sum // the next ones are taken from: a slice of all would be copied as it grows
}

// sum is what the sources read so far come to for a player.
type sum struct {
	before  float64 // of all but newest's source
	newest  float64
	source  int32 // that newest is of
	several bool  // before is of at least one
}

// sumsAtOnce is how many sums are allocated together.
const sumsAtOnce = 1024

func NewSums(a game.Aggregate) *Sums { return &Sums{aggregate: a, all: map[string]*sum{}} }

// Take takes a page of a source in.
func (s *Sums) Take(source int, page []rdb.Member) {
	at := int32(source)
	for _, m := range page {
		had := s.all[m.Player]
		switch {
		case had == nil:
			s.all[strings.Clone(m.Player)] = s.add(sum{newest: m.Stored, source: at}) // a page's name would keep the page
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

// Entries are the players, each once, with what they come to.
func (s *Sums) Entries() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for player, had := range s.all {
			if !yield(player, s.of(had)) {
				return
			}
		}
	}
}
