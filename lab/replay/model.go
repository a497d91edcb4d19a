package replay

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
)

// daily is the mode that is played, as games/framedle.yaml declares it.
var daily = game.Mode{Name: "daily_frame", Policy: game.First, Order: game.Desc, Ties: game.Earliest, Aggregate: game.Sum}

// modelOf is the model of a day with these plays. With exact (one worker sent them) equal
// scores are in order of sending. Otherwise only the order of different steps is known,
// and within a step any order is right.
func modelOf(plays []play, exact bool) *model.Model {
	ids := make([]string, len(plays))
	for _, p := range plays {
		ids[p.player] = p.id()
	}
	m := model.New([]model.Rule{model.InTurns(&daily, max(len(plays), MaxSteps))}, ids)
	for i, p := range plays {
		tick := int64(p.step)
		if exact {
			tick = int64(i)
		}
		m.Submit(model.Play{Player: p.player, Score: int64(p.score()), Tick: 1 + tick})
	}
	return m
}

// theDay is the board of the plays. The date does not matter to the model.
var theDay = model.Board{Period: game.Day.Of(game.Date{})}
