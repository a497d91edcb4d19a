package board

import "github.com/framedle/leaderboards/upstash"

// askTotal queues the count of players unless a fresh one is remembered.
func (s *Store) askTotal(p *pipeline, b Board, n *int64) {
	if players, ok := s.totals.fresh(b.Key); ok {
		*n = players
		return
	}
	p.add(upstash.Cmd("ZCARD", b.Key), func(r upstash.Reply) error {
		if err := intInto(n)(r); err != nil {
			return err
		}
		s.totals.set(b.Key, *n)
		return nil
	})
}
