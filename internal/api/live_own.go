package api

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// ownTime bounds the reading of a viewer's own card.
const ownTime = 3 * time.Second

// ownCard is a player's card for that player's own stream. It is empty if the card cannot be
// read now; the next change of the board tries again.
func (s streams) ownCard(ctx context.Context, b game.Board, player string) string {
	if b.OfTeams() {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, ownTime)
	defer cancel()
	card, _, err := s.card(ctx, b, whose{player: player, me: player})
	if err != nil && !errors.Is(err, board.ErrNotOnBoard) {
		return ""
	}
	body, err := json.Marshal(card)
	if err != nil {
		return ""
	}
	return string(body)
}
