package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/idem"
)

// playedAnswer is what a score of a mode with plays is answered with besides: what the
// play has brought its player.
type playedAnswer struct {
	XP     *int64           `json:"xp,omitempty"`     // of the day, by what stands; nil: the mode gives none
	Streak *streakAnswer    `json:"streak,omitempty"` // nil: the game counts none, or it could not be read
	Earned map[string]int64 `json:"earned,omitempty"` // by currency
}

// played reads what a play has brought while its score is being written, for no time of
// its own. In modes without plays nothing is read.
//
// Cost: that of board.Streaks.With.
func (a scores) played(ctx context.Context, s scoreRequest) func(board.Outcome) *playedAnswer {
	m := s.sub.Mode
	if !m.NeedsPlay {
		return func(board.Outcome) *playedAnswer { return nil }
	}
	streak := make(chan *streakAnswer, 1)
	if a.game.Streak.Off {
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
		if s.play.sent() {
			answer.Earned = earned(a.game, m)
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

// counting says what is counted of a submission once it is answered: a play that earns
// something, unless it is held. What a game server sends without a play has no name by
// which it could be counted once, and earns nothing.
func (a scores) counting(s scoreRequest) func(status int) *idem.Count {
	return func(status int) *idem.Count {
		if !s.play.sent() || status == http.StatusAccepted || !a.game.Currencies.Counts(s.sub.Mode) {
			return nil
		}
		return &idem.Count{
			Key: game.PlaysKey(s.sub.Mode.Name, s.sub.Date), Member: s.sub.Player,
			Until: a.game.Ends(game.Day.Of(s.sub.Date)).Add(a.game.Lives.Day),
		}
	}
}
