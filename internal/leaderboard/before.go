package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// before finds the rank that a card's player had in the period before.
//
// Cost: 1 billed command in the card's round trip, and the refresh of a derived board that is
// due, at most once an hour.
type before struct {
	s      *Store
	board  game.Board // of the period before; the zero Board: nothing to ask
	player string
	at     redis.Place
}

// prepare gets the board before that of the card ready to be asked: nobody may have looked at
// it since it last changed.
func (f *before) prepare(ctx context.Context, of game.Board) error {
	earlier, ok := of.Period.Previous()
	if !ok {
		return nil
	}
	f.board = game.BoardOf(of.Mode, earlier, of.Scope)
	if f.isSpent() {
		return nil
	}
	return f.s.Rollup.Refresh(ctx, f.board)
}

// isSpent reports whether the board is to stay as cron-weekly made it: it is a week of all
// players, and its first day has expired. A refresh from the days that are left would lose a
// part of it.
func (f *before) isSpent() bool {
	b := f.board
	return b.Period.Kind() == game.Week && b.Scope == (game.Scope{}) && !f.s.DB.Alive(b.Period.First())
}

// ask queues the question.
func (f *before) ask(p *redis.Pipeline) {
	if f.board.Mode != nil {
		p.Add(upstash.Cmd(redis.RankCommand(f.board), f.board.Key, f.player, "WITHSCORE"), redis.PlaceInto(&f.at))
	}
}

// rank is the player's rank; 0: the player was not on the board. If ranks are shared it is only
// the position: shareRanks corrects it.
func (f *before) rank() int64 {
	if !f.at.Found {
		return 0
	}
	return f.at.Position + 1
}
