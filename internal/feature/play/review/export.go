package review

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Export is a player's plays that wait for an operator.
func (s *Store) Export(g *game.Game) playerdata.Source {
	type held struct {
		playerdata.Result
		At time.Time `json:"at"`
	}
	return playerdata.Source{About: func(ctx context.Context, player string) (playerdata.Fields, bool, error) {
		waiting, err := s.Of(ctx, player)
		if len(waiting) == 0 {
			return nil, false, err
		}
		rows := make([]held, len(waiting))
		for i, p := range waiting {
			sub := p.Submission
			rows[i] = held{playerdata.NewResult(g, sub.Mode.Name, sub.Date, sub.Score, sub.Scopes, sub.Details), sub.At}
			rows[i].Mode = g.Called(rows[i].Mode)
		}
		return playerdata.Fields{"held": rows}, true, err
	}}
}
