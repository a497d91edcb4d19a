package replay

import (
	"math/rand/v2"

	"github.com/framedle/leaderboards/lab/model"
)

// Model holds a board that is read against plays dealt for a day.
type Model struct {
	*model.Reading
	plays map[int32]play
}

// NewModel deals a day and returns its right board besides.
func NewModel(d Day, steps int, exact bool) (Model, []Entry) {
	plays := deal(d, steps, rand.New(rand.NewPCG(1, 1)))
	m := Model{modelOf(plays, exact).Read(theDay), map[int32]play{}}
	for _, p := range plays {
		m.plays[p.player] = p
	}
	right := make([]Entry, len(plays))
	for i, row := range m.Rows() {
		right[i] = Entry{Rank: int64(i) + 1, Player: m.plays[row.Player].id(), Score: m.plays[row.Player].score()}
	}
	return m, right
}

// SameStep reports whether two places hold the same score from the same step.
func (m Model) SameStep(a, b int) bool {
	x, y := m.plays[m.Rows()[a].Player], m.plays[m.Rows()[b].Player]
	return x.step == y.step && x.tries == y.tries
}

// Tally is what bounds an answer's rank.
type Tally = tally

func (t *tally) Send(tries int8) int64            { return t.send(tries) }
func (t *tally) Answer(tries int8) (int64, int64) { return t.answer(tries) }
func (t *tally) CloseStep()                       { t.closeStep() }
