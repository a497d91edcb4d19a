package replay_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/replay"
)

var smallDay = replay.Day{Date: game.NewDate(2026, 4, 18), Players: 60, Shares: [replay.Tries]int{5, 10, 30, 30, 15, 5, 5}}

// faults reads a board into a model of 6 steps and gathers what is wrong.
func faults(exact bool, spoil func(m replay.Model, board []replay.Entry) []replay.Entry) []string {
	m, board := replay.NewModel(smallDay, 6, exact)
	var all []string
	for _, e := range spoil(m, board) {
		if fault := m.Next(e.Rank, e.Player, int64(e.Score)); fault != "" {
			all = append(all, fault)
		}
	}
	return slices.AppendSeq(all, m.Missing())
}

// swap exchanges two neighbours who are, or are not, of the same score and step.
func swap(sameStep bool) func(replay.Model, []replay.Entry) []replay.Entry {
	return func(m replay.Model, board []replay.Entry) []replay.Entry {
		for i := 1; i < len(board); i++ {
			if board[i].Score == board[i-1].Score && m.SameStep(i, i-1) == sameStep {
				board[i].Player, board[i-1].Player = board[i-1].Player, board[i].Player
				return board
			}
		}
		return nil
	}
}

func TestTheModelFindsWhateverIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(m replay.Model, board []replay.Entry) []replay.Entry
		exact bool
		want  int
	}{
		"a right board":                   {func(_ replay.Model, b []replay.Entry) []replay.Entry { return b }, false, 0},
		"a right board, to the letter":    {func(_ replay.Model, b []replay.Entry) []replay.Entry { return b }, true, 0},
		"neighbours of one step":          {swap(true), false, 0},
		"neighbours of one step, exactly": {swap(true), true, 2},
		"neighbours of two steps":         {swap(false), false, 2},
		"a stranger":                      {func(_ replay.Model, b []replay.Entry) []replay.Entry { b[3].Player = "user_x"; return b }, false, 2},
		"a wrong score":                   {func(_ replay.Model, b []replay.Entry) []replay.Entry { b[3].Score++; return b }, false, 1},
		"a rank that is left out":         {func(_ replay.Model, b []replay.Entry) []replay.Entry { b[3].Rank++; return b }, false, 1},
		"somebody twice":                  {func(_ replay.Model, b []replay.Entry) []replay.Entry { b[59].Player = b[58].Player; return b }, false, 2},
		"the last one missing":            {func(_ replay.Model, b []replay.Entry) []replay.Entry { return b[:59] }, false, 1},
		"one more":                        {func(_ replay.Model, b []replay.Entry) []replay.Entry { return append(b, b[0]) }, false, 1},
		"nobody at all":                   {func(replay.Model, []replay.Entry) []replay.Entry { return nil }, false, 60},
		"upside down": {func(_ replay.Model, b []replay.Entry) []replay.Entry {
			slices.Reverse(b)
			for i := range b {
				b[i].Rank = int64(i) + 1
			}
			return b
		}, true, 60},
	} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, faults(test.exact, test.spoil), test.want)
		})
	}
}

func TestAnAnswersRankIsBoundedByWhatWasSentAndAnswered(t *testing.T) {
	var tally replay.Tally
	require.EqualValues(t, 0, tally.Send(2), "nobody is ahead of the first")
	require.EqualValues(t, 0, tally.Send(0))
	require.EqualValues(t, 0, tally.Send(2), "the better one is not answered yet")
	ahead, players := tally.Answer(2)
	require.EqualValues(t, 2, ahead, "the better one and the equal one may both be ahead")
	require.EqualValues(t, 3, players)
	ahead, _ = tally.Answer(0)
	require.EqualValues(t, 0, ahead)
	require.EqualValues(t, 1, tally.Send(2), "the better one is, the equal ones of this step may not be")
	tally.Answer(2)
	tally.Answer(2)
	tally.CloseStep()
	require.EqualValues(t, 4, tally.Send(2), "all of the step before are ahead")
	require.EqualValues(t, 1, tally.Send(1))
}
