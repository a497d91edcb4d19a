package player

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// XP is kept in three steps. Each closed day has a board that says what all modes together gave
// (game.XPDayKey). The base adds up all closed days (game.XPBaseKey), and is made again at each
// closing. The board that players look at adds up the base, the days that are not closed yet
// and, if duels give XP, all duels.

// RollUp rolls up the XP of days whose boards leave Redis. Empty reports whether a day has given
// none.
func (xp *XP) RollUp(ctx context.Context, days *derive.Index, report *derive.RolledUp, empty func(game.Date) bool) error {
	return xp.rollup.RollUp(ctx, derive.Sequence{
		Index: game.DaysKey(game.XPMode), Cursor: derive.RunCursor, Field: game.Date.String,
		Board: game.XPDayKey, Aggregate: game.Sum,
		Targets: func(game.Date) []derive.Lasting { return []derive.Lasting{{Key: game.RolledUpKey(game.XPKey)}} },
		Empty:   empty,
	}, days, report)
}

// xpSettled counts, in the hash of closed days, how often a day's XP was settled.
const xpSettled = "xp settled"

// baseScript replaces the base, and notes the newest day in it. If a day was settled or rolled
// up, or the base was replaced, since the sources were listed, it changes nothing. If late
// scores came in since, the new base may lack them.
//
// KEYS: XP's index of days, base, new base, closed
// ARGV: newest day in the old base ("" if there is none), how often days had been settled (""
// for never), how often late scores had come in ("" for never), newest day in the new base,
// cursor's field, days that were not rolled up…
// Answer: {calls, "placed" | "late" | "moved"}
var baseScript = redis.NewScript(`
local at = call('HMGET', KEYS[4], 'xp', 'xp settled', 'xp late')
if (at[1] or '') ~= ARGV[1] or (at[2] or '') ~= ARGV[2] then return answer('moved') end
local ask = {'HMGET', KEYS[1]}
for i = 5, #ARGV do ask[#ask + 1] = ARGV[i] end
local states = call(unpack(ask))
if states[1] then return answer('moved') end
for i = 2, #states do
  if states[i] ~= '0' then return answer('moved') end
end
if call('EXISTS', KEYS[3]) == 1 then
  call('UNLINK', KEYS[2])
  call('RENAME', KEYS[3], KEYS[2])
  call('PERSIST', KEYS[2])
else
  call('UNLINK', KEYS[2])
end
call('HSET', KEYS[4], 'xp', ARGV[4])
return answer((at[3] or '') == ARGV[3] and 'placed' or 'late')
`)

// RebaseTries is how often the base is made at most, if something changes meanwhile each time.
const RebaseTries = 10

// Rebase makes the base of XP again, and the board from it. Added lists the days that have
// just been closed: if all are newer than the base, Rebase adds them to it; else it makes the
// base from everything.
//
// Cost: 12 billed commands and those of refreshing the XP board. From 50,000
// players on 1 for every 20,000 of each source, and 2 for every 10,000 of XP.
func (xp *XP) Rebase(ctx context.Context, added []game.Date) error {
	for try := range RebaseTries {
		placed, err := xp.rebaseOnce(ctx, added, try == RebaseTries-1)
		if placed || err != nil {
			return err
		}
		added = nil
	}
	return redis.ErrVanished
}

// rebase is one attempt to make the base.
type rebase struct {
	xp      *XP
	days    derive.Index
	through game.Date // the newest day in the base so far; zero: there is no base
	settled string    // how often days were settled so far
	late    string    // how often late scores came in so far
	last    bool      // it must do, even if late scores came in meanwhile: the next closing counts them
	all     map[string]float64
}

func (xp *XP) rebaseOnce(ctx context.Context, added []game.Date, last bool) (placed bool, err error) {
	r := &rebase{xp: xp, last: last}
	if err := r.read(ctx); err != nil || len(r.days.Dates) == 0 {
		return true, err
	}
	sources, unrolled := r.sources(added)
	scratch := xp.db.Scratch(game.XPBaseKey)
	if err := r.unite(ctx, scratch, sources); err != nil {
		return false, err
	}
	if placed, err := r.place(ctx, scratch, unrolled); err != nil || !placed {
		return false, err
	}
	return true, r.derive(ctx)
}

// read reads which days gave XP, and what is in the base.
func (r *rebase) read(ctx context.Context) error {
	var p redis.Pipeline
	p.Add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&r.days))
	p.Add(upstash.Cmd("HMGET", game.ClosedKey, game.XPMode, xpSettled, xpLate), func(reply upstash.Reply) error {
		fields, err := redis.Values(reply, 3, "three fields")
		if err != nil {
			return err
		}
		if r.settled, err = redis.Text(fields[1]); err != nil {
			return err
		}
		if r.late, err = redis.Text(fields[2]); err != nil {
			return err
		}
		return ThroughInto(&r.through)(fields[0])
	})
	_, err := p.Run(ctx, r.xp.db.Redis)
	return err
}

// sources are the keys of which the base is made, and the days among them.
func (r *rebase) sources(added []game.Date) (keys, unrolled []string) {
	onto := !r.through.IsZero() && len(added) > 0 && !slices.ContainsFunc(added, func(d game.Date) bool { return !d.After(r.through) })
	keys = []string{game.RolledUpKey(game.XPKey)}
	if onto {
		keys[0] = game.XPBaseKey
	}
	for _, d := range r.days.Dates {
		if !r.days.RolledUp[d] && (!onto || d.After(r.through)) {
			keys, unrolled = append(keys, game.XPDayKey(d)), append(unrolled, d.String())
		}
	}
	return keys, unrolled
}

// unite makes the new base in a scratch key. Large sources are added up here, and kept in all.
func (r *rebase) unite(ctx context.Context, scratch string, sources []string) error {
	large, err := r.xp.rollup.Large(ctx, "", sources)
	if err != nil {
		return err
	}
	if large {
		if r.all, err = r.xp.rollup.Unite(ctx, game.Sum, sources); err != nil {
			return err
		}
		return r.xp.db.WriteMembers(ctx, scratch, r.all)
	}
	var p redis.Pipeline
	p.Add(derive.Union(scratch, "SUM", sources...), nil)
	p.Add(upstash.Cmd("EXPIRE", scratch, redis.Itoa(redis.ScratchSeconds)).Idempotent(), nil)
	_, err = p.Run(ctx, r.xp.db.Redis)
	return err
}

func (r *rebase) newest() game.Date { return r.days.Dates[len(r.days.Dates)-1] }

// place puts the new base in place, unless something has changed since it was read.
func (r *rebase) place(ctx context.Context, scratch string, unrolled []string) (placed bool, err error) {
	before := ""
	if !r.through.IsZero() {
		before = r.through.String()
	}
	args := append([]string{before, r.settled, r.late, r.newest().String(), derive.RunCursor}, unrolled...)
	keys := []string{game.DaysKey(game.XPMode), game.XPBaseKey, scratch, game.ClosedKey}
	reply, err := r.xp.db.Redis.Do(ctx, baseScript.Command(keys, args...).Idempotent())
	if err != nil {
		return false, err
	}
	word, err := redis.Word(reply, "what became of the base")
	return word == "placed" || word == "late" && r.last, err
}

// derive makes the board of XP from the new base.
func (r *rebase) derive(ctx context.Context) error {
	b := game.BoardOf(&game.ModeOfXP, game.AllTime.Of(r.newest()), game.Scope{})
	if r.all == nil {
		return r.xp.DeriveXP(ctx, b)
	}
	gained, err := r.xp.gained(ctx, DatesAfter(r.newest(), game.DateOf(r.xp.db.Now()).AddDays(1)))
	if err != nil {
		return err
	}
	derive.AddTo(r.all, gained, game.Sum)
	byDuels, err := r.xp.rollup.Unite(ctx, game.Sum, r.xp.DuelXP())
	if err != nil {
		return err
	}
	derive.AddTo(r.all, byDuels, game.Sum)
	return r.xp.rollup.Replace(ctx, b, r.all)
}

// ThroughInto keeps a date, if there is one.
func ThroughInto(d *game.Date) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		text, err := redis.Text(r)
		if err != nil || text == "" {
			return err
		}
		*d, err = game.ParseDate(text)
		return err
	}
}

// DeriveXP makes the XP board from the base, every day that is not in it, and duels. If a day
// may have come into the base meanwhile, it makes the board once more.
//
// Cost: 3 billed commands; 1 for each mode that was played on an open day, and for each 20,000
// players of it; up to 2 for each open day; that of [XP.OpenXPDays] once more while a day
// waits to be closed.
func (xp *XP) DeriveXP(ctx context.Context, b game.Board) error {
	open, err := xp.OpenXPDays(ctx)
	for range deriveTries {
		if err != nil {
			return err
		}
		if err := xp.deriveFrom(ctx, b, open); err != nil {
			return err
		}
		was := open
		if !slices.ContainsFunc(was, func(d game.Date) bool { return xp.db.Age(game.Day.Of(d)) >= game.Closed }) {
			return nil
		}
		if open, err = xp.OpenXPDays(ctx); err == nil && slices.Equal(was, open) {
			return nil
		}
	}
	return err
}

// deriveTries is how often the board is made at most, if days are closed meanwhile, as they are
// once a day.
const deriveTries = 3

func (xp *XP) deriveFrom(ctx context.Context, b game.Board, open []game.Date) error {
	gained, err := xp.gained(ctx, open)
	if err != nil {
		return err
	}
	sources := append(xp.DuelXP(), game.XPBaseKey)
	if len(gained) == 0 {
		return xp.rollup.CombineInto(ctx, b, sources)
	}
	scratch := xp.db.Scratch(b.Key)
	if err := xp.db.WriteMembers(ctx, scratch, gained); err != nil {
		return err
	}
	if err := xp.rollup.CombineInto(ctx, b, append([]string{scratch}, sources...)); err != nil {
		return err
	}
	_, err = xp.db.Redis.Do(ctx, upstash.Cmd("UNLINK", scratch).Idempotent())
	return err
}

// gained adds up the XP of days as their boards are now.
func (xp *XP) gained(ctx context.Context, days []game.Date) (map[string]float64, error) {
	gained := derive.NewSums(game.Sum)
	modes := slices.DeleteFunc(slices.Clone(xp.db.Game.Modes), func(m *game.Mode) bool { return !m.GivesXP() })
	for day, d := range days {
		if xp.db.Now().Before(xp.db.Game.Opens(d)) {
			continue
		}
		var keys []string
		for _, m := range modes {
			keys = append(keys, game.DayBoardKey(m.Name, d))
		}
		err := redis.EachThere(ctx, xp.db.Redis, keys, func(i int) (empty bool, err error) {
			empty = true
			err = xp.db.EachMember(ctx, keys[i], func(page []redis.Member) error {
				empty = false
				for at := range page {
					page[at].Stored = float64(modes[i].XPOf(modes[i].Decode(page[at].Stored)))
				}
				gained.Take(day*len(modes)+i, page)
				return nil
			})
			return empty, err
		})
		if err != nil {
			return nil, err
		}
	}
	return maps.Collect(gained.Entries()), nil
}

// OpenXPDays lists the days that the base does not have.
//
// Cost: 1 billed command, and 1 for each mode that gives XP before the first closing of all.
func (xp *XP) OpenXPDays(ctx context.Context) ([]game.Date, error) {
	var through game.Date
	var first redis.Pipeline
	first.Add(upstash.Cmd("HGET", game.ClosedKey, game.XPMode), ThroughInto(&through))
	if _, err := first.Run(ctx, xp.db.Redis); err != nil {
		return nil, err
	}
	if !through.IsZero() {
		return DatesAfter(through, game.DateOf(xp.db.Now()).AddDays(1)), nil
	}
	if err := xp.rollup.Calendar.KnowListed(ctx); err != nil {
		return nil, err
	}
	indexes := make([]derive.Index, len(xp.db.Game.Modes))
	var p redis.Pipeline
	for i, m := range xp.db.Game.Modes {
		if m.GivesXP() {
			xp.rollup.Calendar.AskDays(&p, m, &indexes[i])
		}
	}
	if _, err := p.Run(ctx, xp.db.Redis); err != nil {
		return nil, err
	}
	var dates []game.Date
	for _, index := range indexes {
		dates = append(dates, index.Dates...)
	}
	slices.SortFunc(dates, game.Date.Compare)
	return slices.Compact(dates), nil
}

// DatesAfter lists the dates after d, up to and with last.
func DatesAfter(d, last game.Date) []game.Date {
	var dates []game.Date
	for d = d.AddDays(1); !d.After(last); d = d.AddDays(1) {
		dates = append(dates, d)
	}
	return dates
}

// XP keeps what players have gained by playing, and their streaks. It is safe for
// concurrent use.
type XP struct {
	db     *redis.DB
	rollup *derive.Rollup
}

// New makes an XP, and has the rollup make the board of XP by it.
func NewXP(db *redis.DB, rollup *derive.Rollup) *XP {
	x := &XP{db: db, rollup: rollup}
	rollup.UseXP(x)
	return x
}

// DuelXP lists the board of the XP that duels have given, if the game gives any for them. XP of
// duels belongs to no day, so this board is one more source of XP, beside the base. Each duel
// is in it once: the process that takes a duel off the list of duels under way adds it.
func (xp *XP) DuelXP() []string {
	if !xp.db.Game.DuelXP {
		return nil
	}
	return []string{game.DuelXPKey}
}
