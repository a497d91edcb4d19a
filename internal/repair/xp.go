package repair

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/xp"
	"github.com/framedle/leaderboards/upstash"
)

// planRolledUpXP works out what changes of rolled up XP.
func (r *removal) planRolledUpXP(t *taken) {
	if !t.mode.GivesXP() {
		return
	}
	if !slices.ContainsFunc(t.dates, func(d game.Date) bool { return r.s.wasRolledUp(&r.xpDays, d) }) {
		return
	}
	change := foldChange{key: game.RolledUpKey(game.XPKey), unknown: r.past == nil}
	if r.past != nil {
		for _, row := range r.past.Results {
			m, ok := r.s.DB.Game.Mode(row.Mode)
			if !ok || !m.GivesXP() || !r.s.wasRolledUp(&r.xpDays, row.Date) {
				continue
			}
			gained := rdb.Place{Stored: float64(m.XPOf(m.Decode(row.Stored))), Found: true}
			change.before = added(change.before, gained)
			if m != t.mode || !slices.Contains(t.dates, row.Date) {
				change.after = added(change.after, gained)
			}
		}
	}
	t.folds = append(t.folds, change)
}

func added(a, b rdb.Place) rdb.Place {
	return rdb.Place{Stored: a.Stored + b.Stored, Found: a.Found || b.Found}
}

// reworkXP works out the player's XP again: of each day, of all closed days, and
// on the board.
func (r *removal) reworkXP(ctx context.Context) error {
	var dates []game.Date
	for _, t := range r.modes {
		if t.mode.GivesXP() {
			dates = append(dates, t.dates...)
		}
	}
	slices.SortFunc(dates, game.Date.Compare)
	dates = slices.Compact(dates)
	for range xp.RebaseTries {
		if len(dates) == 0 {
			return nil
		}
		placed, err := r.reworkXPOnce(ctx, dates)
		if err != nil || placed {
			return err
		}
	}
	return rdb.ErrVanished
}

// reworkXPOnce reports false where a day was taken into the base meanwhile.
func (r *removal) reworkXPOnce(ctx context.Context, dates []game.Date) (placed bool, err error) {
	var through game.Date // the newest day in the base
	var ask rdb.Pipeline
	ask.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), xp.ThroughInto(&through))
	ask.Add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), rollup.DaysInto(&r.xpDays))
	if _, err := ask.Run(ctx, r.s.DB.Redis); err != nil {
		return false, err
	}
	open, err := r.s.XP.OpenXPDays(ctx)
	if err != nil {
		return false, err
	}
	wanted := map[string]rdb.Place{game.RolledUpKey(game.XPKey): {}}
	for _, key := range r.s.XP.DuelXP() {
		wanted[key] = rdb.Place{}
	}
	var closed []game.Date
	for _, d := range r.xpDays.Dates {
		if r.xpDays.RolledUp[d] {
			continue
		}
		wanted[game.XPDayKey(d)] = rdb.Place{}
		if slices.Contains(dates, d) && r.s.DB.Alive(d) {
			closed = append(closed, d)
		}
	}
	for _, d := range slices.Concat(open, closed) {
		for _, m := range r.s.DB.Game.Modes {
			if m.GivesXP() && r.s.DB.Alive(d) {
				wanted[game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})] = rdb.Place{}
			}
		}
	}
	if err := r.readPlaces(ctx, wanted); err != nil {
		return false, err
	}
	var p rdb.Pipeline
	for _, d := range closed {
		gained := r.xpOn(d, wanted)
		wanted[game.XPDayKey(d)] = gained
		r.settleEntry(&p, game.XPDayKey(d), gained)
	}
	base := wanted[game.RolledUpKey(game.XPKey)]
	for _, d := range r.xpDays.Dates {
		if !d.After(through) {
			base = added(base, wanted[game.XPDayKey(d)])
		}
	}
	placed = true
	if !through.IsZero() {
		r.placeBase(&p, through, base, &placed)
	}
	all := added(base, wanted[game.DuelXPKey])
	for _, d := range open {
		all = added(all, r.xpOn(d, wanted))
	}
	r.settleEntry(&p, game.XPKey, all)
	err = r.runChunks(ctx, &p)
	return placed, err
}

// reworkBaseScript puts a player's XP of all closed days in place, if no other
// day has been taken in since it was worked out. It adds nobody.
//
// KEYS: closed, base. ARGV: newest day in the base, player, XP or ""
// Answer: {calls, entries that changed | -1 where a day was taken in}
var reworkBaseScript = rdb.NewScript(`
if call('HGET', KEYS[1], 'xp') ~= ARGV[1] then return answer(-1) end
if ARGV[3] == '' then return answer(call('ZREM', KEYS[2], ARGV[2])) end
return answer(call('ZADD', KEYS[2], 'XX', 'CH', ARGV[3], ARGV[2]))
`)

func (r *removal) placeBase(p *rdb.Pipeline, through game.Date, base rdb.Place, placed *bool) {
	xp := ""
	if base.Found {
		xp = game.FormatStored(base.Stored)
	}
	p.Add(reworkBaseScript.Command([]string{game.ClosedKey, game.XPBaseKey}, through.String(), r.player, xp).Idempotent(), func(reply upstash.Reply) error {
		answer, err := reply.Array()
		if err != nil {
			return err
		}
		if len(answer) != 2 {
			return rdb.WrongShape("what became of the XP", len(answer))
		}
		n, err := answer[1].Int64()
		*placed = n >= 0
		r.report.Boards += int(max(n, 0))
		return err
	})
}

// xpOn is what the player's entries on a day's boards give.
func (r *removal) xpOn(d game.Date, read map[string]rdb.Place) rdb.Place {
	var gained rdb.Place
	for _, m := range r.s.DB.Game.Modes {
		at := read[game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})]
		if m.GivesXP() && at.Found {
			gained = added(gained, rdb.Place{Stored: float64(m.XPOf(m.Decode(at.Stored))), Found: true})
		}
	}
	return gained
}

// reworkStreak takes back the days on which nothing else was played.
func (r *removal) reworkStreak(ctx context.Context) error {
	if r.s.DB.Game.Streak.Off {
		return nil
	}
	var dates []game.Date
	for _, t := range r.modes {
		dates = append(dates, t.dates...)
	}
	slices.SortFunc(dates, game.Date.Compare)
	dates = slices.Compact(dates)
	wanted := map[string]rdb.Place{}
	for _, d := range dates {
		for _, m := range r.s.DB.Game.Modes {
			if r.s.DB.Alive(d) {
				wanted[game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})] = rdb.Place{}
			}
		}
	}
	if err := r.readPlaces(ctx, wanted); err != nil {
		return err
	}
	before, after := r.playedBefore()
	var missed []game.Date
	for _, d := range dates {
		switch {
		case r.s.DB.Alive(d) && r.playedOn(d, wanted):
		case !r.s.DB.Alive(d) && (r.past == nil || slices.Contains(after, d)):
		default:
			missed = append(missed, d)
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return r.s.XP.ChangeStreaks(ctx, []string{r.player}, func(record xp.Streak) xp.Streak {
		if record == (xp.Streak{}) {
			return record
		}
		for _, d := range missed {
			record = record.Miss(d)
		}
		if r.past == nil {
			return record
		}
		// The settled part is worked out from the archive, if that tells what
		// is settled now.
		if record.Settled == r.settledBy(before, record.Through) {
			record.Settled = r.settledBy(after, record.Through)
		}
		return record
	})
}

func (r *removal) playedOn(d game.Date, read map[string]rdb.Place) bool {
	return slices.ContainsFunc(r.s.DB.Game.Modes, func(m *game.Mode) bool {
		return read[game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})].Found
	})
}

// playedBefore are the days that the archive has of the player, ascending,
// with what is removed and without.
func (r *removal) playedBefore() (with, without []game.Date) {
	if r.past == nil {
		return nil, nil
	}
	for _, row := range r.past.Results {
		with = append(with, row.Date)
		if !slices.ContainsFunc(r.modes, func(t *taken) bool { return t.mode.Name == row.Mode && slices.Contains(t.dates, row.Date) }) {
			without = append(without, row.Date)
		}
	}
	slices.SortFunc(with, game.Date.Compare)
	slices.SortFunc(without, game.Date.Compare)
	return slices.Compact(with), slices.Compact(without)
}

func (r *removal) settledBy(played []game.Date, through game.Date) game.Streak {
	var settled game.Streak
	for _, d := range played {
		if !d.After(through) {
			settled = r.s.DB.Game.Streak.Play(settled, d)
		}
	}
	return settled
}
