package rollup

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// EndedOpen lists the days that take no more scores by the clock, are in Redis,
// and have not been closed in full; oldest first.
//
// Cost: 2 billed commands in 2 round trips, if all are closed; else 1 for each mode and day
// that is not.
func (c *Calendar) EndedOpen(ctx context.Context) ([]game.Date, error) {
	open := c.db.Game.OpenDates(c.db.Now())
	var ended []notices.DayKey
	command := []string{"HMGET", game.ClosedKey}
	for d := c.db.Game.Today(c.db.Now()); c.db.Alive(d); d = d.AddDays(-1) {
		if slices.Contains(open, d) {
			continue
		}
		for _, m := range c.db.Game.Modes {
			ended = append(ended, notices.DayKey{Mode: m.Name, Date: d})
			command = append(command, game.ClosedDay(m.Name, d))
		}
	}
	if len(ended) == 0 {
		return nil, nil
	}
	reply, err := c.db.Redis.Do(ctx, upstash.Cmd(command...))
	if err != nil {
		return nil, rdb.Wrap("look for days that are not closed", err)
	}
	marks, err := rdb.Texts(reply, len(ended), "a mark for each day")
	if err != nil {
		return nil, rdb.Wrap("look for days that are not closed", err)
	}
	var unclosed []notices.DayKey
	for i, mark := range marks {
		if mark != ClosedMark {
			unclosed = append(unclosed, ended[i])
		}
	}
	there, err := c.notices.Keys.There(ctx, unclosed)
	var dates []game.Date
	for _, key := range there {
		dates = append(dates, key.Date)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), err
}
