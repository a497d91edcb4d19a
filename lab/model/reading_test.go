package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// perStep is how many of sixty players play in one step.
const perStep = 10

// sixty returns a reading of a board of sixty players who play in turns, and the right
// rows. With exact, their order within a step is known.
func sixty(exact bool) (*Reading, []Row) {
	ids := make([]string, 60)
	m := New([]Rule{InTurns(&game.Mode{Policy: game.First, Order: game.Desc, Aggregate: game.Sum}, len(ids))}, ids)
	for i := range ids {
		ids[i] = fmt.Sprint("p", i)
		tick := i
		if !exact {
			tick /= perStep
		}
		m.Submit(Play{Player: int32(i), Score: int64(i * 7 % 5 * 100), Tick: int64(1 + tick)})
	}
	r := m.Read(Board{})
	return r, slices.Clone(r.Rows())
}

// swap exchanges two neighbours with the same score, from the same step or from different
// ones.
func swap(sameStep bool) func([]Row) []Row {
	return func(b []Row) []Row {
		for i := 1; i < len(b); i++ {
			if b[i].Score == b[i-1].Score && (b[i].Player/perStep == b[i-1].Player/perStep) == sameStep {
				b[i].Player, b[i-1].Player = b[i-1].Player, b[i].Player
				return b
			}
		}
		return nil
	}
}

func TestAReadingFindsWhateverIsWrong(t *testing.T) {
	stranger := int32(60)
	for name, test := range map[string]struct {
		spoil func([]Row) []Row
		exact bool
		want  int
	}{
		"a right board":                   {func(b []Row) []Row { return b }, false, 0},
		"a right board, to the letter":    {func(b []Row) []Row { return b }, true, 0},
		"neighbours of one step":          {swap(true), false, 0},
		"neighbours of one step, exactly": {swap(true), true, 2},
		"neighbours of two steps":         {swap(false), false, 2},
		"a stranger":                      {func(b []Row) []Row { b[3].Player = stranger; return b }, false, 2},
		"a wrong score":                   {func(b []Row) []Row { b[3].Score++; return b }, false, 1},
		"a rank that is left out":         {func(b []Row) []Row { b[3].Rank++; return b }, false, 1},
		"somebody twice":                  {func(b []Row) []Row { b[59].Player = b[58].Player; return b }, false, 2},
		"the last one missing":            {func(b []Row) []Row { return b[:59] }, false, 1},
		"one more":                        {func(b []Row) []Row { return append(b, b[0]) }, false, 1},
		"a stranger before all":           {func(b []Row) []Row { return append([]Row{{Player: stranger}}, b...) }, true, 61},
		"nobody at all":                   {func([]Row) []Row { return nil }, false, 60},
		"upside down": {func(b []Row) []Row {
			slices.Reverse(b)
			for i := range b {
				b[i].Rank = int64(i) + 1
			}
			return b
		}, true, 60},
	} {
		t.Run(name, func(t *testing.T) {
			r, board := sixty(test.exact)
			var faults []string
			for _, e := range test.spoil(board) {
				if fault := r.Next(e.Rank, fmt.Sprint("p", e.Player), e.Score); fault != "" {
					faults = append(faults, fault)
				}
			}
			require.Len(t, slices.AppendSeq(faults, r.Missing()), test.want)
		})
	}
}
