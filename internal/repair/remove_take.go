package repair

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/upstash"
)

// takeOut removes the entries from the days' own boards, and has the days
// closed again. A closing that is under way may have read the entry: its mark
// goes too, so that what it found does not count.
func (r *removal) takeOut(ctx context.Context) error {
	var p rdb.Pipeline
	unclose := []string{"HDEL", game.ClosedKey}
	for _, t := range r.modes {
		for _, d := range t.dates {
			if !r.s.DB.Alive(d) {
				continue
			}
			for scope := range t.scopes {
				key := game.BoardKey(t.mode.Name, game.Day.Of(d), scope)
				r.takeOff(&p, key)
				r.s.Places.Remove(memory.EntryID{Board: key, Player: r.player})
				// Taking the last entry off takes the key away, with its expiry.
				r.s.DB.Expiring.Remove(key)
			}
			if t.mode.Details {
				p.Add(upstash.Cmd("HDEL", game.DetailsKey(t.mode.Name, d), r.player).Idempotent(), nil)
				r.s.DB.Expiring.Remove(game.DetailsKey(t.mode.Name, d))
			}
			unclose = append(unclose, game.ClosedDay(t.mode.Name, d))
			r.report.Days = append(r.report.Days, game.DayName{Mode: t.mode.Name, Date: d})
		}
	}
	if len(unclose) > 2 {
		p.Add(upstash.Cmd(unclose...).Idempotent(), nil)
	}
	_, err := p.Run(ctx, r.s.DB.Redis)
	if err != nil {
		return err
	}
	return r.overtake(ctx)
}

// overtake lets no closing of the days come to its end that began before the
// entries were gone, whichever modes it is closing.
func (r *removal) overtake(ctx context.Context) error {
	var dates []game.Date
	for _, t := range r.modes {
		dates = append(dates, t.dates...)
	}
	slices.SortFunc(dates, game.Date.Compare)
	var fields []string
	for _, d := range slices.Compact(dates) {
		for _, m := range r.s.DB.Game.Modes {
			fields = append(fields, game.ClosedDay(m.Name, d))
		}
	}
	if len(fields) == 0 {
		return nil
	}
	var running []string
	reply, err := r.s.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"HMGET", game.ClosedKey}, fields...)...))
	if err != nil {
		return err
	}
	states, err := reply.Array()
	if err != nil {
		return err
	}
	for i, state := range states {
		if state.IsNil() {
			continue
		}
		text, err := state.Text()
		if err != nil {
			return err
		}
		if text != rollup.ClosedMark {
			running = append(running, fields[i])
		}
	}
	if len(running) == 0 {
		return nil
	}
	_, err = r.s.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"HDEL", game.ClosedKey}, running...)...).Idempotent())
	return err
}

// takeOff queues the removal of the player from a board.
func (r *removal) takeOff(p *rdb.Pipeline, key string) {
	p.Add(upstash.Cmd("ZREM", key, r.player).Idempotent(), func(reply upstash.Reply) error {
		n, err := reply.Int64()
		r.report.Boards += int(n)
		return err
	})
	r.s.Windows.Forget(key)
	r.s.Totals.Forget(key)
}
