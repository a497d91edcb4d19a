package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// EndedOpen lists the days that take no more scores by the clock, are in Redis,
// and have not been closed in full; oldest first.
//
// Cost: 2 billed commands in 2 round trips, where all are closed; else 1 for each
// mode and day that is not.
func (s *Store) EndedOpen(ctx context.Context) ([]game.Date, error) {
	open := s.game.OpenDates(s.now())
	var ended []dayKey
	command := []string{"HMGET", game.ClosedKey}
	for d := s.game.Today(s.now()); s.alive(d); d = d.AddDays(-1) {
		if slices.Contains(open, d) {
			continue
		}
		for _, m := range s.game.Modes {
			ended = append(ended, dayKey{mode: m.Name, date: d})
			command = append(command, game.ClosedDay(m.Name, d))
		}
	}
	if len(ended) == 0 {
		return nil, nil
	}
	reply, err := s.redis.Do(ctx, upstash.Cmd(command...))
	if err != nil {
		return nil, wrap("look for days that are not closed", err)
	}
	marks, err := reply.Array()
	if err == nil && len(marks) != len(ended) {
		err = errShape("a mark for each day", len(marks))
	}
	if err != nil {
		return nil, wrap("look for days that are not closed", err)
	}
	var unclosed []dayKey
	for i, mark := range marks {
		if text, err := mark.Text(); mark.IsNil() || err != nil || text != closedMark {
			unclosed = append(unclosed, ended[i])
		}
	}
	there, err := s.there(ctx, unclosed)
	var dates []game.Date
	for _, key := range there {
		dates = append(dates, key.date)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), err
}
