package rollup

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// AskTotal queues the count of players unless a fresh one is remembered.
func (ru *Rollup) AskTotal(p *rdb.Pipeline, b game.Board, n *int64) {
	if players, ok := ru.totals.Fresh(b.Key); ok {
		*n = players
		return
	}
	p.Add(upstash.Cmd("ZCARD", b.Key), func(r upstash.Reply) error {
		if err := rdb.IntInto(n)(r); err != nil {
			return err
		}
		ru.totals.Set(b.Key, *n)
		return nil
	})
}
