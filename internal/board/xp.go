package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// XP is kept in three steps. Each closed day has a board of its own that says
// what all modes together gave (game.XPDayKey). The base is all closed days in one (game.XPBaseKey), made again
// at each closing. The board that people look at is the base and the days that
// are not closed yet, and where duels give XP, that of all duels.

// fold takes the XP of days whose boards leave Redis into what outlives them.
func (s *Store) foldXPDays(ctx context.Context, days *dayIndex, report *FoldReport) error {
	return s.foldIndex(ctx, folding{
		index: game.DaysKey(game.XPMode), cursor: foldCursor, field: game.Date.String,
		board: game.XPDayKey, aggregate: game.Sum,
		targets: func(game.Date) []foldTarget { return []foldTarget{{key: game.FoldedKey(game.XPKey)}} },
		empty:   !slices.ContainsFunc(s.game.Modes, (*game.Mode).GivesXP),
	}, days, report)
}

// xpSettled counts, in the hash of closed days, how often a day's XP was settled.
const xpSettled = "xp settled"

// baseScript puts a new base in place, with the newest day that is in it, if
// neither was a day settled or folded nor another base put in place since its
// sources were listed.
//
// KEYS: XP's index of days, base, new base, closed
// ARGV: newest day in the base so far ("" for no base), how often days were
// settled ("" for never), newest day, cursor's field, days that were not folded…
// Answer: {calls, "placed" | "moved"}
var baseScript = upstash.NewScript(`
local at = redis.call('HMGET', KEYS[4], 'xp', 'xp settled')
if (at[1] or '') ~= ARGV[1] or (at[2] or '') ~= ARGV[2] then return {1, 'moved'} end
local ask = {'HMGET', KEYS[1]}
for i = 4, #ARGV do ask[#ask + 1] = ARGV[i] end
local states = redis.call(unpack(ask))
if states[1] then return {2, 'moved'} end
for i = 2, #states do
  if states[i] ~= '0' then return {2, 'moved'} end
end
local calls = 4
if redis.call('EXISTS', KEYS[3]) == 1 then
  redis.call('UNLINK', KEYS[2])
  redis.call('RENAME', KEYS[3], KEYS[2])
  redis.call('PERSIST', KEYS[2])
  calls = calls + 3
else
  redis.call('UNLINK', KEYS[2])
  calls = calls + 1
end
redis.call('HSET', KEYS[4], 'xp', ARGV[3])
return {calls, 'placed'}
`, firstInt)

// rebaseTries is how often the base is made again when something has moved
// meanwhile.
const rebaseTries = 5

// rebase makes the base of XP again, and the board from it. With a list of the
// days that have just been closed, all newer than what the base has, they are
// added to it; else it is made from everything.
//
// Cost: 12 billed commands and those of refreshing the XP board. From 50,000
// players on 1 for every 20,000 of each source, and 2 for every 10,000 of XP.
func (s *Store) rebase(ctx context.Context, added []game.Date) error {
	for range rebaseTries {
		placed, err := s.rebaseOnce(ctx, added)
		if placed || err != nil {
			return err
		}
		added = nil
	}
	return ErrVanished
}

func (s *Store) rebaseOnce(ctx context.Context, added []game.Date) (placed bool, err error) {
	var days dayIndex
	var through game.Date
	settled := ""
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), daysInto(&days))
	p.add(upstash.Cmd("HMGET", game.ClosedKey, game.XPMode, xpSettled), func(r upstash.Reply) error {
		fields, err := r.Array()
		if err != nil {
			return err
		}
		if len(fields) != 2 {
			return errShape("two fields", len(fields))
		}
		if !fields[1].IsNil() {
			if settled, err = fields[1].Text(); err != nil {
				return err
			}
		}
		return throughInto(&through)(fields[0])
	})
	if _, err := p.run(ctx, s.redis); err != nil {
		return false, err
	}
	if len(days.dates) == 0 {
		return true, nil
	}
	newest := days.dates[len(days.dates)-1]
	before := ""
	if !through.IsZero() {
		before = through.String()
	}
	onto := before != "" && len(added) > 0 && !slices.ContainsFunc(added, func(d game.Date) bool { return !d.After(through) })
	sources := []string{game.FoldedKey(game.XPKey)}
	if onto {
		sources[0] = game.XPBaseKey
	}
	args := []string{before, settled, newest.String(), foldCursor}
	for _, d := range days.dates {
		if !days.folded[d] && (!onto || d.After(through)) {
			sources = append(sources, game.XPDayKey(d))
			args = append(args, d.String())
		}
	}
	large, err := s.large(ctx, "", sources)
	if err != nil {
		return false, err
	}
	scratch := s.scratch(game.XPBaseKey)
	var all map[string]float64
	if large {
		if all, err = s.unite(ctx, game.Sum, sources); err != nil {
			return false, err
		}
		err = s.writeMembers(ctx, scratch, all)
	} else {
		var p pipeline
		p.add(union(scratch, "SUM", sources...), nil)
		p.add(upstash.Cmd("EXPIRE", scratch, itoa(scratchSeconds)).Idempotent(), nil)
		_, err = p.run(ctx, s.redis)
	}
	if err != nil {
		return false, err
	}
	reply, err := s.redis.Do(ctx, baseScript.Command(
		[]string{game.DaysKey(game.XPMode), game.XPBaseKey, scratch, game.ClosedKey}, args...).Idempotent())
	if err != nil {
		return false, err
	}
	values, err := reply.Array()
	if err != nil {
		return false, err
	}
	if len(values) != 2 {
		return false, errShape("what became of the base", len(values))
	}
	if word, err := values[1].Text(); err != nil || word != "placed" {
		return false, err
	}
	b := BoardOf(&xpMode, game.AllTime.Of(newest), game.Scope{})
	if !large {
		return true, s.deriveXP(ctx, b)
	}
	gained, err := s.gained(ctx, datesAfter(newest, game.DateOf(s.now()).AddDays(1)))
	if err != nil {
		return false, err
	}
	addTo(all, gained, game.Sum)
	byDuels, err := s.unite(ctx, game.Sum, s.duelXP())
	if err != nil {
		return false, err
	}
	addTo(all, byDuels, game.Sum)
	return true, s.Replace(ctx, b, all)
}

// throughInto keeps a date, if there is one.
func throughInto(d *game.Date) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		if r.IsNil() {
			return nil
		}
		text, err := r.Text()
		if err != nil {
			return err
		}
		*d, err = game.ParseDate(text)
		return err
	}
}

// deriveXP makes the XP board: the base, every day that is not in it, and duels.
//
// Cost: 3 billed commands and 1 for each mode and open day, and for each
// 20,000 players of them.
func (s *Store) deriveXP(ctx context.Context, b Board) error {
	open, err := s.openXPDays(ctx)
	if err != nil {
		return err
	}
	gained, err := s.gained(ctx, open)
	if err != nil {
		return err
	}
	sources := append(s.duelXP(), game.XPBaseKey)
	if len(gained) == 0 {
		return s.combineInto(ctx, b, sources)
	}
	scratch := s.scratch(b.Key)
	if err := s.writeMembers(ctx, scratch, gained); err != nil {
		return err
	}
	if err := s.combineInto(ctx, b, append([]string{scratch}, sources...)); err != nil {
		return err
	}
	_, err = s.redis.Do(ctx, upstash.Cmd("UNLINK", scratch).Idempotent())
	return err
}

// gained adds up the XP of days as their boards are now.
func (s *Store) gained(ctx context.Context, days []game.Date) (map[string]float64, error) {
	gained := map[string]float64{}
	for _, d := range days {
		if s.now().Before(s.game.Opens(d)) {
			continue
		}
		for _, m := range s.game.Modes {
			if !m.GivesXP() {
				continue
			}
			of := map[string]float64{} // whoever is read twice counts once
			err := s.eachMember(ctx, game.BoardKey(m.Name, game.Day.Of(d), game.Scope{}), func(page []member) error {
				for _, e := range page {
					of[e.player] = float64(m.XPOf(m.Decode(e.stored)))
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			addTo(gained, of, game.Sum)
		}
	}
	return gained, nil
}

// openXPDays lists the days that the base does not have.
func (s *Store) openXPDays(ctx context.Context) ([]game.Date, error) {
	var through game.Date
	var first pipeline
	first.add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), throughInto(&through))
	if _, err := first.run(ctx, s.redis); err != nil {
		return nil, err
	}
	if !through.IsZero() {
		return datesAfter(through, game.DateOf(s.now()).AddDays(1)), nil
	}
	indexes := make([]dayIndex, len(s.game.Modes))
	var p pipeline
	for i, m := range s.game.Modes {
		if m.GivesXP() {
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
