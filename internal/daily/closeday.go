package daily

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/rollup"
	"github.com/framedle/leaderboards/internal/xp"
	"github.com/framedle/leaderboards/upstash"
)

// Archive takes days in that have closed.
type Archive interface {
	// BeginDay starts to replace what the archive has of a mode's day.
	BeginDay(ctx context.Context, mode string, d game.Date) (DayWriter, error)
}

// DayWriter takes one day of one mode.
type DayWriter interface {
	Put(ctx context.Context, results []game.Result) error
	// Finish removes what was not put, and notes that the day is all there.
	Finish(ctx context.Context) error
}

// ClosedDay tells what closing a day did.
type ClosedDay struct {
	Date    string   `json:"date"`
	Modes   []string `json:"modes"`   // those that were not closed before
	Players int      `json:"players"` // in all modes together
	Results int      `json:"results"` // archived

	day  rollup.Unclosed
	run  string
	done []*game.Mode
}

// ErrNotArchived is returned with the archive's own error for a day that closed
// but for its archive.
var ErrNotArchived = errors.New("the day is not archived")

// closedMark is what the hash of closed days says of one that is. Before that it
// holds the name of the run that reads the day, and then, behind settledMark,
// of the run that has settled it and has not yet refreshed the boards.
const ()

// CloseDay takes a day into XP and streaks, and into the archive, if there is
// one, which may fail by itself: the day then counts, but is left to be closed
// again, and the archive's error is returned. A day whose board has left Redis
// is left too, with game.ErrDayExpired, and the archive keeps what it has. A score that comes in meanwhile
// leaves the day unclosed too, for the next run.
//
// Cost, for each mode of up to 10,000 players: 2 billed commands, 1 for details,
// 1 for each scope; for the day 12. For every further 20,000 players 3 for the
// mode, 2 for details, and 14 for the day.
func (ds *Days) CloseDay(ctx context.Context, day rollup.Unclosed, archive Archive) (ClosedDay, error) {
	run := ds.DB.Scratch("run")
	report := ClosedDay{Date: day.Date.String(), Modes: []string{}, day: day, run: run}
	begin := []string{"HSET", game.ClosedKey}
	for _, m := range day.Modes {
		report.Modes = append(report.Modes, m.Name)
		begin = append(begin, game.ClosedDay(m.Name, day.Date), run)
	}
	if _, err := ds.DB.Redis.Do(ctx, upstash.Cmd(begin...).Idempotent()); err != nil {
		return report, rdb.Wrap("begin to close "+report.Date, err)
	}
	took := dayTaken{xp: map[string]float64{}, played: map[string]struct{}{}, known: KnownProfiles{}}
	archived := day.Modes[:0:0]
	var failed error
	for _, m := range day.All {
		take := archive
		if !slices.Contains(day.Modes, m) {
			take = nil
		}
		n, archiveErr, err := ds.readDay(ctx, m, day, took, take)
		if err != nil {
			return report, rdb.Wrap("close "+report.Date+" of "+m.Name, err)
		}
		report.Results += n
		if archiveErr != nil {
			failed = errors.Join(failed, rdb.Wrap("archive "+report.Date+" of "+m.Name, errors.Join(ErrNotArchived, archiveErr)))
		} else if slices.Contains(day.Modes, m) {
			archived = append(archived, m)
		}
	}
	report.Players = len(took.played)
	if err := ds.countPlayed(ctx, day.Date, took.played); err != nil {
		return report, rdb.Wrap("close "+report.Date, err)
	}
	if err := ds.settleDay(ctx, day, archived, took.xp, run); err != nil {
		return report, rdb.Wrap("close "+report.Date, err)
	}
	report.done = archived
	return report, failed
}

// dayTaken is what a closing learns of a day over all its modes.
type dayTaken struct {
	xp     map[string]float64 // of those who played a mode that gives any
	played map[string]struct{}
	known  KnownProfiles
}

// readDay reads one mode's day and hands it to the archive, if there is one.
func (ds *Days) readDay(ctx context.Context, m *game.Mode, day rollup.Unclosed, took dayTaken, archive Archive) (archived int, archiveErr, err error) {
	var writer DayWriter
	var scopes map[string][]game.ScopedResult
	if archive != nil {
		writer, archiveErr = archive.BeginDay(ctx, m.Name, day.Date)
	}
	if archiving := archive != nil && archiveErr == nil; archiving || m.Policy != game.First { // whose groups need not follow
		if scopes, err = ds.ScopesOf(ctx, m, day); err != nil {
			return 0, nil, err
		}
	}
	key := game.BoardKey(m.Name, game.Day.Of(day.Date), game.Scope{})
	groups := &rollup.Aligner{Scopes: scopes, Astray: map[game.Scope]struct{}{}}
	players := int64(0)
	err = ds.DB.EachMember(ctx, key, func(page []rdb.Member) error {
		players += int64(len(page))
		for _, e := range page {
			took.played[e.Player] = struct{}{}
			if m.GivesXP() {
				took.xp[e.Player] += float64(m.XPOf(m.Decode(e.Stored)))
			}
		}
		if archive == nil || archiveErr != nil {
			groups.Meet(page)
			return nil
		}
		results, err := ds.Results(ctx, m, day.Date, page, scopes, took.known)
		if err != nil {
			return err
		}
		groups.Align(results)
		if archiveErr = writer.Put(ctx, results); archiveErr == nil {
			archived += len(results)
		}
		return nil
	})
	if err == nil && players == 0 && !ds.DB.Alive(day.Date) {
		return 0, game.ErrDayExpired, nil
	}
	ds.Totals.Set(key, players)
	if err == nil {
		err = ds.Rollup.RealignAstray(ctx, m, day.Date, groups)
	}
	if err == nil && archive != nil && archiveErr == nil {
		archiveErr = writer.Finish(ctx)
	}
	return archived, archiveErr, err
}

// countPlayed notes in everybody's streak that the day was played.
func (ds *Days) countPlayed(ctx context.Context, d game.Date, played map[string]struct{}) error {
	if ds.DB.Game.Streak.Off {
		return nil
	}
	return ds.XP.ChangeStreaks(ctx, slices.Collect(maps.Keys(played)), func(r xp.Streak) xp.Streak { return r.Play(ds.DB.Game.Streak, d) })
}

// foldSeconds is how long the XP of a day stays at least, so that a day that
// closes at the end of its life can still be rolled up.
const foldSeconds = 3600

// settleScript puts the XP of a day in place, unless it has been rolled up, and
// notes for which modes the run is done with the day; nothing of this where a
// score came in, or another run began, meanwhile.
//
// KEYS: closed, XP's index of days, XP of the day, new XP of the day
// ARGV: date, seconds the XP of the day lives, the run, modes' days that were
// begun, how many of them are done with; those first
// Answer: {calls, "settled" | "overtaken"}
var settleScript = upstash.NewScript(`
local run, done = ARGV[3], tonumber(ARGV[4])
local ask = {'HMGET', KEYS[1]}
for i = 5, #ARGV do ask[#ask + 1] = ARGV[i] end
local runs = redis.call(unpack(ask))
for i = 1, #runs do
  if runs[i] ~= run then return {1, 'overtaken'} end
end
local state = redis.call('HMGET', KEYS[2], ARGV[1], 'fold')
local calls = 2
if state[1] == '1' or (state[2] and string.sub(state[2], 1, 10) == ARGV[1]) then
  redis.call('UNLINK', KEYS[4])
  calls = calls + 1
else
  redis.call('UNLINK', KEYS[3])
  calls = calls + 3
  if redis.call('EXISTS', KEYS[4]) == 1 then
    redis.call('RENAME', KEYS[4], KEYS[3])
    redis.call('EXPIRE', KEYS[3], ARGV[2])
    calls = calls + 2
  end
  redis.call('HSET', KEYS[2], ARGV[1], '0')
  redis.call('HINCRBY', KEYS[1], 'xp settled', 1)
  calls = calls + 1
end
if done > 0 then
  local put = {'HSET', KEYS[1]}
  for i = 5, 4 + done do
    put[#put + 1] = ARGV[i]
    put[#put + 1] = 'settled ' .. run
  end
  redis.call(unpack(put))
  calls = calls + 1
end
return {calls, 'settled'}
`, rdb.FirstInt)

func (ds *Days) settleDay(ctx context.Context, day rollup.Unclosed, archived []*game.Mode, xp map[string]float64, run string) error {
	scratch := ds.DB.Scratch(game.XPDayKey(day.Date))
	if err := ds.DB.WriteMembers(ctx, scratch, xp); err != nil {
		return err
	}
	end, _ := ds.DB.Game.Expires(game.Day.Of(day.Date))
	args := []string{day.Date.String(), rdb.Itoa(max(foldSeconds, ds.DB.SecondsUntil(end))), run, rdb.Itoa(int64(len(archived)))}
	for _, m := range archived {
		args = append(args, game.ClosedDay(m.Name, day.Date))
	}
	for _, m := range day.Modes {
		if !slices.Contains(archived, m) {
			args = append(args, game.ClosedDay(m.Name, day.Date))
		}
	}
	_, err := ds.DB.Redis.Do(ctx, settleScript.Command(
		[]string{game.ClosedKey, game.DaysKey(game.XPMode), game.XPDayKey(day.Date), scratch}, args...).Idempotent())
	return err
}
