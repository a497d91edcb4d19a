package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// rolledUpPlan changes the rolled-up days that a removal affects.
type rolledUpPlan struct{ *removal }

// make works out the changes on boards of rolled-up days. Before anything is changed, it
// returns an error for what cannot be done completely.
func (plan rolledUpPlan) make(ctx context.Context) error {
	for _, t := range plan.modes {
		if plan.strict && plan.past == nil {
			for _, h := range derivedBoards(plan).affected(t) {
				if len(h.expired) > 0 || h.inBands != nil {
					return ErrRolledUp
				}
			}
		}
		for scope := range t.scopes {
			plan.days(t, scope)
		}
		plan.xp(t)
		if err := plan.check(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// rolledUpChange is the player's entry on a rolled-up board before and after the removal, by
// the archive.
type rolledUpChange struct {
	key           string
	before, after redis.Place
	unknown       bool // there is no archive
}

// days works out the changes on boards that the days of a scope were rolled up into.
func (plan rolledUpPlan) days(t *modeRemoval, scope game.Scope) {
	index := t.indexes[scope]
	var periods []game.Period
	for _, d := range t.dates {
		if !plan.rp.wasRolledUp(index, d) {
			continue
		}
		for _, p := range plan.rp.DB.Game.OutlivingOf(d) {
			if b := game.BoardOf(t.mode, p, scope); !slices.Contains(periods, p) && !plan.rp.Rollup.Frozen(b) {
				periods = append(periods, p)
			}
		}
	}
	for _, period := range periods {
		if period.Kind() == game.AllTime && t.allTime != nil {
			continue // a board in bands has no rolled-up days of its own
		}
		change := rolledUpChange{key: game.RolledUpKey(game.BoardOf(t.mode, period, scope).Key), unknown: plan.past == nil}
		if plan.past != nil {
			of := func(d game.Date) bool { return period.Contains(d) && plan.rp.wasRolledUp(index, d) }
			add := derive.AddingUp(plan.rp.Rollup, game.BoardOf(t.mode, period, scope))
			change.before = rolledUp(add, plan.archived(t.mode, scope, of))
			change.after = rolledUp(add, plan.remaining(t, scope, of))
		}
		t.rolledUp = append(t.rolledUp, change)
	}
}

// rolledUp combines days as rolling up does, oldest first.
func rolledUp(add derive.Adding, rows map[game.Date]float64) redis.Place {
	dates := make([]game.Date, 0, len(rows))
	for d := range rows {
		dates = append(dates, d)
	}
	slices.SortFunc(dates, game.Date.Compare)
	var sum redis.Place
	for _, d := range dates {
		stored := add.Day(d, rows[d])
		if sum.Found {
			stored = add.And(sum.Stored, stored)
		}
		sum = redis.Place{Stored: stored, Found: true}
	}
	return sum
}

// currentPlaces reads the player's places on the rolled-up boards that the plan changes.
func (plan rolledUpPlan) currentPlaces(ctx context.Context, t *modeRemoval) (map[string]redis.Place, error) {
	places := map[string]redis.Place{}
	for _, c := range t.rolledUp {
		places[c.key] = redis.Place{}
	}
	return places, plan.readPlaces(ctx, places)
}

// check compares the plan with the rolled-up boards.
func (plan rolledUpPlan) check(ctx context.Context, t *modeRemoval) error {
	current, err := plan.currentPlaces(ctx, t)
	if err != nil {
		return err
	}
	for _, c := range t.rolledUp {
		now := current[c.key]
		switch {
		case c.unknown && !now.Found:
		case c.unknown:
			return ErrRolledUp
		case now != c.before && now != c.after:
			return ErrHistory
		}
	}
	return nil
}

// setRolledUpScript replaces a player's entry on a rolled-up board, if it is the one that the
// caller has read.
//
// KEYS: rolled-up board
// ARGV: player, score it had, score it gets or ""
// Answer: {calls, "done" | "other"}
var setRolledUpScript = redis.NewScript(`
local current = call('ZSCORE', KEYS[1], ARGV[1])
if not current or tonumber(current) ~= tonumber(ARGV[2]) then return answer('other') end
if ARGV[3] == '' then
  call('ZREM', KEYS[1], ARGV[1])
else
  call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return answer('done')
`)

// takeBack changes the rolled-up boards as planned. If another removal was faster, the plan no
// longer fits, and the call must be made again.
func (plan rolledUpPlan) takeBack(ctx context.Context) error {
	for _, t := range plan.modes {
		for _, c := range t.rolledUp {
			if c.before == c.after || c.unknown {
				continue
			}
			_, err := plan.rp.DB.Redis.Do(ctx, setRolledUpScript.Command([]string{c.key}, plan.player, game.FormatStored(c.before.Stored), c.after.Text()).Idempotent())
			if err != nil {
				return err
			}
		}
		if err := plan.checkDone(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (plan rolledUpPlan) checkDone(ctx context.Context, t *modeRemoval) error {
	current, err := plan.currentPlaces(ctx, t)
	if err != nil {
		return err
	}
	for _, c := range t.rolledUp {
		if !c.unknown && current[c.key] != c.after {
			return ErrHistory
		}
	}
	return nil
}
