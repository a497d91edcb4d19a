package api

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// ownGap is the least time between two looks at own standings in one process, which
// bounds what viewers with a token can cost: 20 cards a second.
const ownGap = 50 * time.Millisecond

// pace gives out turns. The zero pace is ready.
type pace struct {
	mu   sync.Mutex
	next time.Time
}

// turn is how long to wait for one's turn; with 0 it is now, and taken.
func (p *pace) turn(gap time.Duration) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if wait = p.next.Sub(now); wait > 0 {
		return wait
	}
	p.next = now.Add(gap)
	return 0
}

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
