package api

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// ownTime bounds a look at one's own standing.
const ownTime = 3 * time.Second

// ownCard is the card of a player for the player's own stream; empty where it cannot be
// told just now, which the next change makes up for.
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
