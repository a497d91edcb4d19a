package replay

import (
	"fmt"
	"iter"
	"slices"
)

// model knows how the board must read: by score, the highest first, and equal
// scores by who came first.
//
// Who came first is the order of sending when one worker sent. When several
// did, it is known of plays in different steps, and within a step any order is
// right.
type model struct {
	sorted  []play  // a right order; of equal score and step, any
	sentAs  []int32 // when a player's play was sent, by player
	plays   []play  // in the order of sending
	exact   bool
	read    int64   // entries so far
	ranks   []int32 // as read, by player; 0 for none
	ties    [Tries]int64
	players int
}

func newModel(plays []play, exact bool) *model {
	m := &model{
		plays: plays, exact: exact, players: len(plays),
		sorted: slices.Clone(plays), sentAs: make([]int32, len(plays)), ranks: make([]int32, len(plays)),
	}
	for i, p := range plays {
		m.sentAs[p.player] = int32(i)
	}
	// Plays lie in the order of sending already, and a stable sort keeps it.
	slices.SortStableFunc(m.sorted, func(a, b play) int { return int(a.tries) - int(b.tries) })
	return m
}

// next takes the next entry of the board and says what is wrong with it, or
// nothing. The rank that the model gives is held against the entry's: the play
// at that place must be this very one, or of the same score and step where the
// order within steps is not known.
func (m *model) next(e Entry) (fault string) {
	m.read++
	player, ok := playerOf(e.Player, m.players)
	if !ok {
		return fmt.Sprintf("place %d is held by %.140q, who did not play", m.read, e.Player)
	}
	p := m.plays[m.sentAs[player]]
	switch {
	case m.ranks[player] != 0:
		return fmt.Sprintf("%s stands twice, at %d and at %d", e.Player, m.ranks[player], m.read)
	case e.Rank != m.read:
		fault = fmt.Sprintf("%s at place %d has rank %d", e.Player, m.read, e.Rank)
	case e.Score != p.score():
		fault = fmt.Sprintf("%s has %d, sent was %d", e.Player, e.Score, p.score())
	case m.read > int64(m.players):
		fault = fmt.Sprintf("%s stands at %d, with %d players", e.Player, m.read, m.players)
	default:
		fault = m.misplaced(e, p)
	}
	m.ranks[player] = int32(m.read)
	m.ties[p.tries]++
	return fault
}

func (m *model) misplaced(e Entry, p play) string {
	right := m.sorted[m.read-1]
	if right == p || !m.exact && right.tries == p.tries && right.step == p.step {
		return ""
	}
	return fmt.Sprintf("%s (%d points in step %d) stands at %d, where %s (%d in step %d) must stand",
		e.Player, p.score(), p.step, m.read, appendPlayer(nil, right.player), right.score(), right.step)
}

// missing names those who were never read.
func (m *model) missing() iter.Seq[string] {
	return func(yield func(string) bool) {
		for player, rank := range m.ranks {
			if rank == 0 && !yield(fmt.Sprintf("%s is missing from the board", appendPlayer(nil, int32(player)))) {
				return
			}
		}
	}
}
