package playerdata

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Day is a day of a mode.
type DayExport struct {
	Mode *game.Mode
	Date game.Date
}

// Standings reads a player's results on the boards of all players of some days, with details,
// in the order of days. It leaves out days that the player has not played.
//
// Cost: 1 billed command for each day, and for each that the player has played 1 more where
// the mode keeps details. In 2 round trips.
func (e *Export) Standings(ctx context.Context, player string, days []DayExport) ([]KeptResult, error) {
	places := make([]redis.Place, len(days))
	var p redis.Pipeline
	for i, d := range days {
		p.Add(upstash.Cmd("ZSCORE", game.DayBoardKey(d.Mode.Name, d.Date), player), redis.ScoreInto(&places[i]))
	}
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return nil, redis.Wrap("read a player's results", err)
	}
	var kept []*keptAt
	for i, d := range days {
		if places[i].Found {
			kept = append(kept, &keptAt{KeptResult: KeptResult{Mode: d.Mode, Date: d.Date}, place: places[i]})
		}
	}
	var of redis.Pipeline
	for _, at := range kept {
		at.stands(&of, player)
	}
	if _, err := of.Run(ctx, e.DB.Redis); err != nil {
		return nil, redis.Wrap("read the details of a player's results", err)
	}
	results := make([]KeptResult, len(kept))
	for i, at := range kept {
		results[i] = at.KeptResult
	}
	return results, nil
}

// stands fills in the score that was read, and queues the read of its details.
func (at *keptAt) stands(p *redis.Pipeline, player string) {
	m := at.Mode
	at.Stored = at.place.Stored
	at.Score = m.Decode(at.Stored)
	if !m.Details {
		return
	}
	p.Add(upstash.Cmd("HGET", game.DetailsKey(m.Name, at.Date), player), func(r upstash.Reply) error {
		record, err := redis.Text(r)
		at.Details = game.DetailsOf(record, m, at.Stored)
		return err
	})
}
