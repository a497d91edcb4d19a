package api

import (
	"context"

	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// playedAnswer is what the answer to a score adds in modes with plays: what the play has
// brought its player.
type playedAnswer struct {
	XP     *int64           `json:"xp,omitempty"`     // for the day, by the score that stands; nil: the mode gives none
	Streak *streakAnswer    `json:"streak,omitempty"` // nil: the game counts none, or it could not be read
	Earned map[string]int64 `json:"earned,omitempty"` // by currency
}

// raceReported is what a submission's answer says of the play's race.
type raceReported struct {
	ID      string `json:"id"`
	Counted bool   `json:"counted"` // false: the race was over, or the player had left it
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

// reportToRace reports a play's score to its race. It does so together with the write to
// the board, so that a play that is sent again after a crash repeats both.
//
// Cost: 3 billed commands in 1 round trip, up to 5 if it decides the race.
func (a scores) reportToRace(ctx context.Context, s scoreRequest) (*raceReported, error) {
	id := s.play.Race
	if id == "" || a.Races == nil {
		return nil, nil
	}
	_, err := a.Races.Report(ctx, id, s.sub.Mode.Name, s.sub.Player, s.sub.Score)
	if !race.Final(err) {
		return nil, err
	}
	return &raceReported{ID: id, Counted: err == nil}, nil
}
