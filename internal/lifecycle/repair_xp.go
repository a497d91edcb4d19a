package lifecycle

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// xp works out the change of rolled-up XP.
func (plan rolledUpPlan) xp(t *modeRemoval) {
	if !t.mode.GivesXP() {
		return
	}
	if !slices.ContainsFunc(t.dates, func(d game.Date) bool { return plan.rp.wasRolledUp(&plan.xpDays, d) }) {
		return
	}
	change := rolledUpChange{key: game.RolledUpKey(game.XPKey), unknown: plan.past == nil}
	if plan.past != nil {
		for _, row := range plan.past.Results {
			m, ok := plan.rp.DB.Game.Mode(row.Mode)
			if !ok || !m.GivesXP() || !plan.rp.wasRolledUp(&plan.xpDays, row.Date) {
				continue
			}
			gained := redis.Place{Stored: float64(m.XPOf(m.Decode(row.Stored))), Found: true}
			change.before = added(change.before, gained)
			if m != t.mode || !slices.Contains(t.dates, row.Date) {
				change.after = added(change.after, gained)
			}
		}
	}
	t.rolledUp = append(t.rolledUp, change)
}

func added(a, b redis.Place) redis.Place {
	return redis.Place{Stored: a.Stored + b.Stored, Found: a.Found || b.Found}
}

// xpRework works out the XP of a removal's player again.
type xpRework struct{ *removal }

// run works out the player's XP again: of each day, of all closed days, and on the board.
func (x xpRework) run(ctx context.Context) error {
	dates := datesOf(slices.DeleteFunc(slices.Clone(x.modes), func(t *modeRemoval) bool { return !t.mode.GivesXP() }))
	if len(dates) == 0 && !(x.ban && len(x.rp.XP.DuelXP()) > 0) { // a ban takes the XP of duels too
		return nil
	}
	for range player.RebaseTries {
		placed, err := x.once(ctx, dates)
		if err != nil || placed {
			return err
		}
	}
	return redis.ErrVanished
}

// once returns false if a day was taken into the base meanwhile.
func (x xpRework) once(ctx context.Context, dates []game.Date) (placed bool, err error) {
	var through game.Date // the newest day in the base
	var ask redis.Pipeline
	ask.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), player.ThroughInto(&through))
	ask.Add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&x.xpDays))
	if _, err := ask.Run(ctx, x.rp.DB.Redis); err != nil {
		return false, err
	}
	open, err := x.rp.XP.OpenXPDays(ctx)
	if err != nil {
		return false, err
	}
	wanted := map[string]redis.Place{game.RolledUpKey(game.XPKey): {}}
	for _, key := range x.rp.XP.DuelXP() {
		wanted[key] = redis.Place{}
	}
	var closed []game.Date
	for _, d := range x.xpDays.Dates {
		if x.xpDays.RolledUp[d] {
			continue
		}
		wanted[game.XPDayKey(d)] = redis.Place{}
		if slices.Contains(dates, d) && x.rp.DB.Alive(d) {
			closed = append(closed, d)
		}
	}
	for _, d := range slices.Concat(open, closed) {
		for _, m := range x.rp.DB.Game.Modes {
			if m.GivesXP() && x.rp.DB.Alive(d) {
				wanted[game.DayBoardKey(m.Name, d)] = redis.Place{}
			}
		}
	}
	if err := x.readPlaces(ctx, wanted); err != nil {
		return false, err
	}
	var p redis.Pipeline
	for _, d := range closed {
		gained := x.placeOn(d, wanted)
		wanted[game.XPDayKey(d)] = gained
		x.settleEntry(&p, game.XPDayKey(d), gained)
	}
	base := wanted[game.RolledUpKey(game.XPKey)]
	for _, d := range x.xpDays.Dates {
		if !d.After(through) {
			base = added(base, wanted[game.XPDayKey(d)])
		}
	}
	placed = true
	if !through.IsZero() {
		x.placeBase(&p, through, base, &placed)
	}
	all := added(base, wanted[game.DuelXPKey])
	for _, d := range open {
		all = added(all, x.placeOn(d, wanted))
	}
	x.settleEntry(&p, game.XPKey, all)
	err = x.runChunks(ctx, &p)
	return placed, err
}

// reworkBaseScript sets a player's XP of all closed days, if no other day has been taken in
// since it was worked out. It adds no player.
//
// KEYS: closed, base
// ARGV: newest day in the base, player, XP or ""
// Answer: {calls, entries that changed | -1 if a day was taken in}
var reworkBaseScript = redis.NewScript(`
if call('HGET', KEYS[1], 'xp') ~= ARGV[1] then return answer(-1) end
if ARGV[3] == '' then return answer(call('ZREM', KEYS[2], ARGV[2])) end
return answer(call('ZADD', KEYS[2], 'XX', 'CH', ARGV[3], ARGV[2]))
`)

func (x xpRework) placeBase(p *redis.Pipeline, through game.Date, base redis.Place, placed *bool) {
	p.Add(reworkBaseScript.Command([]string{game.ClosedKey, game.XPBaseKey}, through.String(), x.player, base.Text()).Idempotent(), func(reply upstash.Reply) error {
		n, err := redis.Count(reply, "what became of the XP")
		*placed = err == nil && n >= 0
		x.report.Boards += int(max(n, 0))
		return err
	})
}

// placeOn returns the XP of the player's entries on a day's boards.
func (x xpRework) placeOn(d game.Date, read map[string]redis.Place) redis.Place {
	var gained redis.Place
	for _, m := range x.rp.DB.Game.Modes {
		at := read[game.DayBoardKey(m.Name, d)]
		if m.GivesXP() && at.Found {
			gained = added(gained, redis.Place{Stored: float64(m.XPOf(m.Decode(at.Stored))), Found: true})
		}
	}
	return gained
}

// streakRework works out the streak of a removal's player again.
type streakRework struct{ *removal }

// run removes from the streak the days on which nothing else was played.
func (s streakRework) run(ctx context.Context) error {
	if s.rp.DB.Game.Streak.Off {
		return nil
	}
	dates := datesOf(s.modes)
	wanted := map[string]redis.Place{}
	for _, d := range dates {
		for _, m := range s.rp.DB.Game.Modes {
			if s.rp.DB.Alive(d) {
				wanted[game.DayBoardKey(m.Name, d)] = redis.Place{}
			}
		}
	}
	if err := s.readPlaces(ctx, wanted); err != nil {
		return err
	}
	before, after := s.archivedDates()
	var missed []game.Date
	for _, d := range dates {
		switch {
		case s.rp.DB.Alive(d) && s.playedOn(d, wanted):
		case !s.rp.DB.Alive(d) && (s.past == nil || slices.Contains(after, d)):
		default:
			missed = append(missed, d)
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return s.rp.XP.ChangeStreaks(ctx, []string{s.player}, func(_ string, record player.Streak) player.Streak {
		if record == (player.Streak{}) {
			return record
		}
		for _, d := range missed {
			record = record.Miss(d)
		}
		if s.past == nil {
			return record
		}
		// The settled part is worked out from the archive, if the archive agrees with what is
		// settled now.
		if record.Settled == s.settledBy(before, record.Through) {
			record.Settled = s.settledBy(after, record.Through)
		}
		return record
	})
}

func (s streakRework) playedOn(d game.Date, read map[string]redis.Place) bool {
	return slices.ContainsFunc(s.rp.DB.Game.Modes, func(m *game.Mode) bool {
		return read[game.DayBoardKey(m.Name, d)].Found
	})
}

// archivedDates returns the days that the archive has of the player, ascending, with and
// without what is removed.
func (s streakRework) archivedDates() (with, without []game.Date) {
	if s.past == nil {
		return nil, nil
	}
	for _, row := range s.past.Results {
		with = append(with, row.Date)
		if !slices.ContainsFunc(s.modes, func(t *modeRemoval) bool { return t.mode.Name == row.Mode && slices.Contains(t.dates, row.Date) }) {
			without = append(without, row.Date)
		}
	}
	return ascending(with), ascending(without)
}

func (s streakRework) settledBy(played []game.Date, through game.Date) game.Streak {
	var settled game.Streak
	for _, d := range played {
		if !d.After(through) {
			settled = s.rp.DB.Game.Streak.Play(settled, d)
		}
	}
	return settled
}
