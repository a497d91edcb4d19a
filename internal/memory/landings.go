package memory

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

const (
	rememberLandings = 1024 // of a board: 24 KB
	landedBoards     = 64

	// asked is how many landings on each side of a score a guess uses, since the nearest one
	// may be old.
	asked = 8
	// nearGuess widens a guess beyond what chance explains, by that many positions on each
	// side, since the known total of the board may be some seconds old.
	nearGuess = 10
)

// Landings remembers the positions at which scores entered boards, and guesses the position of
// the next score. While a board grows, the share of players who are better than a score changes
// little. A wrong guess costs a command and never decides an answer.
type Landings struct {
	mu      sync.Mutex
	byBoard *lru.Cache[string, *landings]
}

// landings are those of one board, one for each score, in order.
type landings struct{ seen []landing }

// landing is where the last entry with this score entered the board.
type landing struct {
	score             game.Score
	position, players int64
}

func NewLandings() *Landings {
	return &Landings{byBoard: lru.New[string, *landings](landedBoards)}
}

// Note remembers where an entry has entered a board with that many players. If there are too
// many landings, it drops the oldest one.
func (l *Landings) Note(b game.Board, at game.Score, position, players int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of, ok := l.byBoard.Get(b.Key)
	if !ok {
		of = &landings{}
		l.byBoard.Add(b.Key, of)
	}
	i, known := of.find(at)
	if known {
		of.seen[i] = landing{at, position, players}
		return
	}
	of.seen = slices.Insert(of.seen, i, landing{at, position, players})
	if len(of.seen) > rememberLandings {
		oldest := 0
		for i, seen := range of.seen {
			if seen.players < of.seen[oldest].players {
				oldest = i
			}
		}
		of.seen = slices.Delete(of.seen, oldest, oldest+1)
	}
}

func (l *landings) find(at game.Score) (index int, known bool) {
	return slices.BinarySearchFunc(l.seen, at, func(seen landing, at game.Score) int { return cmp.Compare(seen.score, at) })
}

// Guess returns the first and the last position, counted from zero, at which a score may enter
// a board with that many players. On a side without a landing, that is the board's end.
func (l *Landings) Guess(b game.Board, at game.Score, players int64) (first, last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first, last = 0, players
	of, ok := l.byBoard.Get(b.Key)
	if !ok {
		return first, last
	}
	lower, higher := of.beside(at)
	if b.Mode.Order == game.Asc {
		lower, higher = higher, lower
	}
	for _, better := range higher {
		least, _ := better.now(players)
		first = max(first, least)
	}
	for _, worse := range lower {
		_, most := worse.now(players)
		last = min(last, most)
	}
	return min(first, last), max(first, last) // by chance, a better score's landing may come after a worse one's
}

// beside are the landings of the nearest scores on both sides. The score's own landing is in
// both.
func (l *landings) beside(at game.Score) (lower, higher []landing) {
	i, known := l.find(at)
	to := i
	if known {
		to++
	}
	return l.seen[max(0, to-asked):to], l.seen[i:min(i+asked, len(l.seen))]
}

// now is between which positions the same score would enter the board now: where the same share
// of the players is better, with a margin for chance among the players who have come since.
func (l landing) now(players int64) (first, last int64) {
	came, now := float64(l.players), float64(max(players, l.players))
	better := float64(l.position) / came
	chance := 2 * math.Sqrt((now-came)*better*(1-better)*now/came)
	first = max(0, int64(better*now-chance)-nearGuess)
	return first, int64(better*now+chance) + nearGuess
}

func (l *Landings) Purge() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.byBoard.Purge()
}
