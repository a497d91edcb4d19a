package api

import (
	"context"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// playedAnswer is what the answer to a score adds in modes with plays: what the play has
// brought its player.
type playedAnswer struct {
	XP     *int64           `json:"xp,omitempty"`     // for the day, by the score that stands; nil: the mode gives none
	Streak *streakAnswer    `json:"streak,omitempty"` // nil: the game counts none, or it could not be read
	Earned map[string]int64 `json:"earned,omitempty"` // by currency
}

// played reads what a play has brought while its score is written, so that reading takes no
// additional time. In modes without plays it reads nothing.
//
// Cost: that of board.Streaks.With.
func (a scores) played(ctx context.Context, s scoreRequest) func(board.Outcome) *playedAnswer {
	m := s.sub.Mode
	if !m.NeedsPlay {
		return func(board.Outcome) *playedAnswer { return nil }
	}
	streak := make(chan *streakAnswer, 1)
	if a.Game.Streak.Off {
		streak <- nil
	} else {
		go func() {
			read, err := a.streaks.With(ctx, s.sub.Player, s.sub.Date)
			if err != nil {
				streak <- nil
				return
			}
			streak <- newStreakAnswer(read)
		}()
	}
	return func(o board.Outcome) *playedAnswer {
		answer := &playedAnswer{Streak: <-streak}
		if s.play.Sent() {
			answer.Earned = earned(a.Game, m)
		}
		if m.GivesXP() {
			xp := m.XPOf(o.Score)
			answer.XP = &xp
		}
		return answer
	}
}

// earned is what one play of a mode earns; nil where it earns nothing.
func earned(g *game.Game, m *game.Mode) map[string]int64 {
	all := g.Currencies.Earned(m)
	if len(all) == 0 {
		return nil
	}
	by := make(map[string]int64, len(all))
	for _, e := range all {
		by[e.Currency] = e.Amount
	}
	return by
}
