package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// takeOut removes the entries from the days' own boards. A closing that is under way may have
// read one of them: takeOut removes its mark, so that its result does not count.
func (r *removal) takeOut(ctx context.Context) error {
	var p redis.Pipeline
	for _, t := range r.modes {
		for _, d := range t.dates {
			if !game.KeyLives(r.rp.DB.Game, t.mode, d, r.rp.DB.Now()) {
				continue
			}
			for scope := range t.scopes {
				day := game.DayName{Mode: t.mode.Name, Date: d}
				r.takeOffDay(&p, derive.DayKey{Mode: day.Mode, Date: d, Scope: scope}, func() {
					if !slices.Contains(r.report.Taken, day) {
						r.report.Taken = append(r.report.Taken, day)
					}
				})
			}
		}
	}
	if err := r.reopen(ctx, &p); err != nil {
		return err
	}
	return r.overtake(ctx)
}

// reopen adds to p the removal of details and earnings, and marks the days to be closed again.
// Then it sends p.
func (r *removal) reopen(ctx context.Context, p *redis.Pipeline) error {
	var days []string
	computed := map[game.Date][]string{}
	for _, t := range r.modes {
		for _, d := range t.dates {
			if !r.rp.DB.Alive(d) {
				continue
			}
			if t.mode.Details {
				p.Add(upstash.Cmd("HDEL", game.DetailsKey(t.mode.Name, d), r.player).Idempotent(), nil)
				r.rp.DB.Expiring.Remove(game.DetailsKey(t.mode.Name, d))
			}
			if t.mode.CountsPlays() { // the score's earnings are removed with it
				first, last := game.PlaysOf(r.player)
				p.Add(upstash.Cmd("ZREMRANGEBYLEX", game.PlaysKey(t.mode.Name, d), first, last).Idempotent(), nil)
			}
			if t.mode.Computed {
				for scope := range t.indexes {
					if scope.Kind() == game.Group && t.indexes[scope].Has(d) {
						computed[d] = append(computed[d], game.HomePrints(scope.ID()))
					}
				}
			}
			days = append(days, game.ClosedDay(t.mode.Name, d))
			r.report.Days = append(r.report.Days, game.DayName{Mode: t.mode.Name, Date: d})
		}
	}
	for d, groups := range computed { // else the next compute would take its boards to be as it left them
		slices.Sort(groups)
		p.Add(upstash.Cmd(append([]string{"HDEL", game.HomesKey(d)}, slices.Compact(groups)...)...).Idempotent(), nil)
	}
	if len(days) > 0 {
		p.Add(derive.Reopen(r.rp.DB, days...), nil)
	}
	if err := r.runChunks(ctx, p); err != nil {
		return err
	}
	return r.rp.Rollup.Calendar.NoteEmpty(ctx, r.taken)
}

// overtake cancels closings of these dates, of any mode, that are under way: they may have
// begun before the entries were removed.
func (r *removal) overtake(ctx context.Context) error {
	var fields []string
	for _, d := range datesOf(r.modes) {
		for _, m := range r.rp.DB.Game.Modes {
			fields = append(fields, game.ClosedDay(m.Name, d))
		}
	}
	if len(fields) == 0 {
		return nil
	}
	var running []string
	reply, err := r.rp.DB.Redis.Do(ctx, upstash.Cmd(append([]string{"HMGET", game.ClosedKey}, fields...)...))
	if err != nil {
		return err
	}
	states, err := redis.Texts(reply, len(fields), "a state for each day")
	if err != nil {
		return err
	}
	for i, state := range states {
		if state != "" && state != derive.ClosedMark && !derive.IsReopened(state) {
			running = append(running, fields[i])
		}
	}
	if len(running) == 0 {
		return nil
	}
	_, err = r.rp.DB.Redis.Do(ctx, derive.Reopen(r.rp.DB, running...))
	return err
}

// worldNotice makes the next merge of several sites' boards look at all of them.
type worldNotice struct{ db *redis.DB }

// run is the last step of a removal, when every board is right: boards that follow from days
// of long ago have changed too.
//
// Cost: nothing in games without such boards, else 1 billed command.
func (w worldNotice) run(ctx context.Context) error {
	if !w.db.Game.SeveralSites {
		return nil
	}
	_, err := w.db.Redis.Do(ctx, upstash.Cmd("HSET", game.ClosedKey, game.TakenOutField, derive.Reopened(w.db)).Idempotent())
	return err
}

// takeOffDay queues the removal of the player from a board of a day. reopen then notes whether
// the board is empty.
func (r *removal) takeOffDay(p *redis.Pipeline, day derive.DayKey, took ...func()) {
	key := day.Key()
	r.takeOff(p, key, append(took, func() { r.taken = append(r.taken, day) })...)
	r.rp.Places.Remove(derive.EntryID{Board: key, Player: r.player})
	// Removing the last entry deletes the key, and its expiry with it.
	r.rp.DB.Expiring.Remove(key)
}

// takeOff queues the removal of the player from a board, and calls took if the player was on
// it.
func (r *removal) takeOff(p *redis.Pipeline, key string, took ...func()) {
	p.Add(upstash.Cmd("ZREM", key, r.player).Idempotent(), func(reply upstash.Reply) error {
		n, err := reply.Int64()
		r.report.Boards += int(n)
		for _, tell := range took {
			if n > 0 {
				tell()
			}
		}
		return err
	})
	r.rp.Windows.Forget(key)
	r.rp.Totals.Forget(key)
}
