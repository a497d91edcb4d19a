package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// XP is kept in three steps. Each closed day has a board of its own that says
// what all modes together gave (game.XPDayKey). The base is all closed days in one (game.XPBaseKey), made again
// at each closing. The board that people look at is the base and the days that
// are not closed yet.

// xpMode is the mode of the XP board.
var xpMode = game.Mode{Name: game.XPMode, Title: "XP", Order: game.Desc, Ties: game.Earliest, Aggregate: game.Sum}

// xpOf is the XP that a true score gives: the weight is in thousandths, and
// the places of the score count.
func xpOf(m *game.Mode, score game.Score) int64 {
	denominator := int64(1000)
	for range m.Decimals {
		denominator *= 10
	}
	return floorDiv(int64(score)*m.XPWeight, denominator)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// foldXP takes the XP of days whose boards leave Redis into what outlives them.
func (s *Store) foldXP(ctx context.Context, report *FoldReport) error {
	var days dayIndex
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), daysInto(&days))
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	return s.foldIndex(ctx, folding{
		index: game.DaysKey(game.XPMode), cursor: foldCursor, field: game.Date.String,
		board: game.XPDayKey, aggregate: game.Sum,
		targets: func(game.Date) []foldTarget { return []foldTarget{{key: game.FoldedKey(game.XPKey)}} },
	}, &days, report)
}

// baseScript puts a new base in place, with the newest day that is in it, if
// no day was folded since its sources were listed.
//
// KEYS: XP's index of days, base, new base, closed
// ARGV: newest day, cursor's field, days that were not folded…
// Answer: {calls, "placed" | "moved"}
var baseScript = upstash.NewScript(`
local calls = 0
if #ARGV > 1 then
  local ask = {'HMGET', KEYS[1]}
  for i = 2, #ARGV do ask[#ask + 1] = ARGV[i] end
  local states = redis.call(unpack(ask))
  calls = 1
  if states[1] then return {calls, 'moved'} end
  for i = 2, #states do
    if states[i] ~= '0' then return {calls, 'moved'} end
  end
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  redis.call('PERSIST', KEYS[3])
  redis.call('RENAME', KEYS[3], KEYS[2])
  calls = calls + 2
else
  redis.call('DEL', KEYS[2])
  calls = calls + 1
end
redis.call('HSET', KEYS[4], 'xp', ARGV[1])
return {calls + 2, 'placed'}
`, firstInt)

// rebase makes the base of XP again, and the board from it.
//
// Cost: 8 billed commands and those of refreshing the XP board.
func (s *Store) rebase(ctx context.Context) error {
	for range rebaseTries {
		var days dayIndex
		var p pipeline
		p.add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), daysInto(&days))
		if _, err := p.run(ctx, s.redis); err != nil {
			return err
		}
		if len(days.dates) == 0 {
			return nil
		}
		newest := days.dates[len(days.dates)-1]
		sources := []string{game.FoldedKey(game.XPKey)}
		args := []string{newest.String(), foldCursor}
		for _, d := range days.dates {
			if !days.folded[d] {
				sources = append(sources, game.XPDayKey(d))
				args = append(args, d.String())
			}
		}
		scratch := s.scratch(game.XPBaseKey)
		if err := s.unionInto(ctx, scratch, game.Sum, sources); err != nil {
			return err
		}
		reply, err := s.redis.Do(ctx, baseScript.Command(
			[]string{game.DaysKey(game.XPMode), game.XPBaseKey, scratch, game.ClosedKey}, args...).Idempotent())
		if err != nil {
			return err
		}
		values, err := reply.Strings()
		if err != nil {
			return err
		}
		if slices.Contains(values, "placed") {
			return s.deriveXP(ctx, s.Board(&xpMode, game.AllTime.Of(newest), game.Scope{}))
		}
	}
	return ErrVanished
}

// rebaseTries is how often the base is made again when a day was folded
// meanwhile.
const rebaseTries = 5

// deriveXP makes the XP board: the base, and every day that is not in it.
//
// Cost: 3 billed commands and 1 for each mode and open day, and for each
// 5,000 players of them.
func (s *Store) deriveXP(ctx context.Context, b Board) error {
	open, err := s.openXPDays(ctx)
	if err != nil {
		return err
	}
	gained := map[string]float64{}
	for _, d := range open {
		for _, m := range s.game.Modes {
			if m.XPWeight == 0 {
				continue
			}
			of := map[string]int64{}
			err := s.eachMember(ctx, game.BoardKey(m.Name, game.Day.Of(d), game.Scope{}), func(page []member) error {
				for _, e := range page {
					of[e.player] = xpOf(m, m.Decode(e.stored))
				}
				return nil
			})
			if err != nil {
				return err
			}
			for player, xp := range of {
				gained[player] += float64(xp)
			}
		}
	}
	sources := []string{game.XPBaseKey}
	scratch := s.scratch(b.Key)
	if len(gained) > 0 {
		if err := s.writeMembers(ctx, scratch, gained); err != nil {
			return err
		}
		sources = []string{scratch, game.XPBaseKey}
	}
	if err := s.combineInto(ctx, b, sources); err != nil {
		return err
	}
	if len(gained) > 0 {
		_, err = s.redis.Do(ctx, upstash.Cmd("UNLINK", scratch).Idempotent())
	}
	return err
}

// openXPDays lists the days that the base does not have.
func (s *Store) openXPDays(ctx context.Context) ([]game.Date, error) {
	reply, err := s.redis.Do(ctx, upstash.Cmd("HGET", game.ClosedKey, game.XPMode))
	if err != nil {
		return nil, err
	}
	if !reply.IsNil() {
		text, err := reply.Text()
		if err != nil {
			return nil, err
		}
		through, err := game.ParseDate(text)
		return datesAfter(through, game.DateOf(s.now()).AddDays(1)), err
	}
	indexes := make([]dayIndex, len(s.game.Modes))
	var p pipeline
	for i, m := range s.game.Modes {
		if m.XPWeight > 0 {
			p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), daysInto(&indexes[i]))
		}
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, err
	}
	var dates []game.Date
	for _, index := range indexes {
		dates = append(dates, index.dates...)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), nil
}

// datesAfter lists the dates behind one, up to and with the last.
func datesAfter(d, last game.Date) []game.Date {
	var dates []game.Date
	for d = d.AddDays(1); !d.After(last); d = d.AddDays(1) {
		dates = append(dates, d)
	}
	return dates
}
