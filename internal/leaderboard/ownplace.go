package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ownPlace finds a player's place on a board, with everything that the player has played: on a
// small derived board from the union of its days, else from the board as it is stored.
type ownPlace struct {
	s      *Store
	board  game.Board
	player string
	united *derive.United
	own    *derive.Own // if it is not united

	now   redis.Place
	total int64
}

func (s *Store) placeOn(ctx context.Context, b game.Board, player string) (o *ownPlace, err error) {
	o = &ownPlace{s: s, board: b, player: player}
	if o.united, err = s.Rollup.UnitedOf(ctx, b); err == nil && o.united == nil {
		o.own, err = s.Rollup.Own(ctx, b, player)
	}
	return o, err
}

// ask queues the question for the place and the total.
func (o *ownPlace) ask(p *redis.Pipeline) {
	if o.united != nil {
		o.united.Ask(p)
		return
	}
	o.own.Ask(p)
	p.Add(upstash.Cmd(redis.RankCommand(o.board), o.board.Key, o.player, "WITHSCORE"), redis.PlaceInto(&o.now))
	o.s.Rollup.AskTotal(p, o.board, &o.total)
}

// settle takes the answers. If the stored board lacks a score of the player, their place is
// that of their entry among the others' as they are stored.
//
// Cost: that of [derive.Own.Entry], and 1 billed command if the board lacks a score.
func (o *ownPlace) settle(ctx context.Context) error {
	if o.united != nil {
		o.now, o.total = o.united.Place(o.player), int64(len(o.united.Entries))
		return nil
	}
	entry, err := o.own.Entry(ctx, o.now)
	if err != nil || !entry.Found || o.now.Found && entry.Stored == o.now.Stored {
		return err
	}
	stored := o.now
	o.now = entry
	if err := o.s.DB.Ask(ctx, redis.BetterCommand(o.board, entry.Stored), redis.IntInto(&o.now.Position)); err != nil {
		return redis.Wrap("rank the own entry", err)
	}
	switch {
	case !stored.Found:
		o.total++
	case (stored.Stored < entry.Stored) == (o.board.Mode.Order == game.Asc): // the stored one is better, and was counted
		o.now.Position--
	}
	return nil
}

// rank is the player's rank. On a stored board whose ranks are shared it is only the position:
// shareRanks corrects it.
func (o *ownPlace) rank() int64 {
	if o.united != nil {
		return o.united.Entries[o.now.Position].Rank
	}
	return o.now.Position + 1
}
