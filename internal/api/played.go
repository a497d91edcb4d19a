package api

import (
	"context"

	"github.com/framedle/leaderboards/internal/leaderboard"
)

// playedAnswer is what the answer to a score adds in modes with plays: what the play has
// brought its player.
type playedAnswer struct {
	XP     *int64        `json:"xp,omitempty"`     // for the day, by the score that stands; nil: the mode gives none
	Streak *streakAnswer `json:"streak,omitempty"` // nil: the game counts none, or it could not be read
}

// played reads what a play has brought while its score is written, so that reading takes no
// additional time. In modes without plays it reads nothing.
//
// Cost: that of leaderboard.Streaks.With.
func (a scores) played(ctx context.Context, s scoreRequest) func(leaderboard.Outcome) *playedAnswer {
	m := s.sub.Mode
	if !m.NeedsPlay {
		return func(leaderboard.Outcome) *playedAnswer { return nil }
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
	return func(o leaderboard.Outcome) *playedAnswer {
		answer := &playedAnswer{Streak: <-streak}
		if m.GivesXP() {
			xp := m.XPOf(o.Score)
			answer.XP = &xp
		}
		return answer
	}
}

// gains are what the play of a score has brought its player in features; none without a play.
func (a scores) gains(ctx context.Context, s scoreRequest) ([]string, error) {
	if !s.play.Sent() {
		return nil, nil
	}
	texts := make([]string, len(a.Gains))
	for i, gain := range a.Gains {
		var err error
		if texts[i], err = gain.Of(ctx, s.sub, s.play); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
