package player

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// ownTries is how often a player's XP is read at most: it is read again if a day is closed
// meanwhile.
const ownTries = 3

// OwnXP is the XP that a player would have on the board of XP if that were made now. Read has
// the entries of days that were read already, by board. The XP is not found if the player has
// none.
//
// Cost: 3 billed commands; 1 if duels give XP; if a closing is late, 1 for each mode and day
// that is not in the base and has not been read, in one more round trip. Before the first
// closing of all that of [XP.OpenXPDays] too.
func (xp *XP) OwnXP(ctx context.Context, player string, read map[string]redis.Place) (redis.Place, error) {
	for range ownTries {
		var before, after game.Date
		var all, byDuels redis.Place
		var p redis.Pipeline
		p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), ThroughInto(&before))
		p.Add(upstash.Cmd("ZSCORE", game.XPBaseKey, player), redis.ScoreInto(&all))
		p.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), ThroughInto(&after))
		for _, key := range xp.DuelXP() {
			p.Add(upstash.Cmd("ZSCORE", key, player), redis.ScoreInto(&byDuels))
		}
		if _, err := p.Run(ctx, xp.db.Redis); err != nil {
			return redis.Place{}, err
		}
		if before != after {
			continue
		}
		var open []game.Date
		if before.IsZero() {
			var err error
			if open, err = xp.OpenXPDays(ctx); err != nil {
				return redis.Place{}, err
			}
		} else {
			open = DatesAfter(before, game.DateOf(xp.db.Now()).AddDays(1))
		}
		all = plus(all, byDuels)
		if err := xp.readDays(ctx, player, open, read); err != nil {
			return redis.Place{}, err
		}
		for _, d := range open {
			for _, m := range xp.db.Game.Modes {
				if at := read[dayKey(m, d)]; m.GivesXP() && at.Found {
					all = plus(all, redis.Place{Stored: float64(m.XPOf(m.Decode(at.Stored))), Found: true})
				}
			}
		}
		return all, nil
	}
	return redis.Place{}, redis.ErrVanished
}

func dayKey(m *game.Mode, d game.Date) string {
	return game.DayBoardKey(m.Name, d)
}

func plus(a, b redis.Place) redis.Place {
	return redis.Place{Stored: a.Stored + b.Stored, Found: a.Found || b.Found}
}

// readDays reads the player's entries of days that read does not have yet.
func (xp *XP) readDays(ctx context.Context, player string, days []game.Date, read map[string]redis.Place) error {
	var p redis.Pipeline
	for _, d := range days {
		for _, m := range xp.db.Game.Modes {
			key := dayKey(m, d)
			if _, ok := read[key]; ok || !m.GivesXP() || !xp.db.Alive(d) || !xp.rollup.Calendar.Begins(d) {
				continue
			}
			p.Add(upstash.Cmd("ZSCORE", key, player), func(r upstash.Reply) error {
				var at redis.Place
				err := redis.ScoreInto(&at)(r)
				read[key] = at
				return err
			})
		}
	}
	_, err := p.Run(ctx, xp.db.Redis)
	return err
}
