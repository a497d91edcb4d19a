package replay

import "math/rand/v2"

// Model holds a board that is read against plays dealt for a day.
type Model struct{ *model }

// NewModel deals a day and returns its right board besides.
func NewModel(d Day, steps int, exact bool) (Model, []Entry) {
	m := newModel(deal(d, steps, rand.New(rand.NewPCG(1, 1))), exact)
	right := make([]Entry, len(m.sorted))
	for i, p := range m.sorted {
		right[i] = Entry{Rank: int64(i) + 1, Player: string(appendPlayer(nil, p.player)), Score: p.score()}
	}
	return Model{m}, right
}

// Next takes an entry of the board and says what is wrong with it.
func (m Model) Next(e Entry) string { return m.next(e) }

// Missing are those who were never read.
func (m Model) Missing() (all []string) {
	for fault := range m.missing() {
		all = append(all, fault)
	}
	return all
}

// SameStep reports whether two places hold the same score from the same step.
func (m Model) SameStep(a, b int) bool {
	return m.sorted[a].step == m.sorted[b].step && m.sorted[a].tries == m.sorted[b].tries
}

// Tally is what bounds an answer's rank.
type Tally = tally

func (t *tally) Send(tries int8) int64            { return t.send(tries) }
func (t *tally) Answer(tries int8) (int64, int64) { return t.answer(tries) }
func (t *tally) CloseStep()                       { t.closeStep() }

// PlayerOf reads a player's id.
func PlayerOf(id string, players int) (int32, bool) { return playerOf(id, players) }

// Free tells the commands that are not billed.
func Free(name string) bool { return free(name) }
