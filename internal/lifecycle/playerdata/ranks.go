package playerdata

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
)

// OwnRanks are a player's ranks of closed days of a mode, newest first.
type OwnRanks struct {
	Player string `json:"player"`
	Mode   string `json:"mode"`
	// History is "unavailable" if there is no database: then there are no ranks.
	History string    `json:"history,omitempty"`
	Ranks   []OwnRank `json:"ranks"`
}

// OwnRank is a player's rank of one day.
type OwnRank struct {
	Date   string          `json:"date"`
	Rank   int64           `json:"rank,omitempty"` // 0: above game.MostDayRank
	Score  json.RawMessage `json:"score"`
	Values json.RawMessage `json:"values,omitempty"`
}

// Ranks reads a player's ranks of the last days with a result of the player that are complete
// in the archive. It costs no command.
func (s *Service) Ranks(ctx context.Context, player string, m *game.Mode, limit int) (OwnRanks, error) {
	own := OwnRanks{Player: player, Mode: m.Called(), Ranks: []OwnRank{}}
	if s.Archive == nil {
		own.History = "unavailable"
		return own, nil
	}
	rows, err := s.Archive.Ranks(ctx, m, player, limit)
	for _, r := range rows {
		own.Ranks = append(own.Ranks, OwnRank{Date: r.Date.String(), Rank: r.Rank, Score: s.score(m.Name, r.Score), Values: m.FormatValues(r.Score)})
	}
	return own, err
}
