package lifecycle

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// DayArchive takes in days that have closed.
type DayArchive interface {
	// BeginDay starts to replace what the archive has of a mode's day.
	BeginDay(ctx context.Context, mode string, d game.Date) (DayWriter, error)
}

// DayWriter takes one day of one mode.
type DayWriter interface {
	Put(ctx context.Context, results []game.Result) error
	// Finish removes what was not put, and notes that the day is complete.
	Finish(ctx context.Context) error
}

// ClosedDay is what closing a day did.
type ClosedDay struct {
	Date    string   `json:"date"`
	Modes   []string `json:"modes"`   // the modes that had not closed before
	Players int      `json:"players"` // in all modes together
	Results int      `json:"results"` // archived

	day  derive.Unclosed
	run  string
	done []string        // fields of the hash of closed days, of the modes that the run is done with
	none []derive.DayKey // boards that the run has found empty
	best map[string]int
}

// ErrNotArchived is returned, with the archive's own error, for a day that counts for XP and
// streaks but could not be archived.
var ErrNotArchived = errors.New("the day is not archived")

// CloseDay takes a day into XP and streaks, and into the archive, if there is one. If only the
// archive fails, the day counts, but the next run closes it again, and CloseDay returns the
// archive's error. If the board has left Redis, CloseDay returns game.ErrDayExpired and leaves
// the day as it is, also in the archive. A score that comes in meanwhile also leaves the day
// to the next run.
//
// Cost, for each mode of up to 10,000 players: 2 billed commands, 1 for details, 1 for each
// scope; for the day 13. For every further 20,000 players 3 for the mode, 2 for details, and
// 15 for the day.
func (ds *Days) CloseDay(ctx context.Context, day derive.Unclosed, archive DayArchive) (ClosedDay, error) {
	period := game.Day.Of(day.Date)
	expires, _ := ds.DB.Game.Expires(period)
	report := ClosedDay{Date: day.Date.String(), Modes: []string{}, day: day, run: ds.DB.Scratch("run")}
	left := map[*game.Mode]string{} // fields of the modes to close that the run is not done with
	begin := []string{"HSET", game.ClosedKey}
	for _, m := range day.Modes {
		report.Modes = append(report.Modes, m.Name)
		left[m] = game.ClosedDay(m.Name, day.Date)
		begin = append(begin, left[m], report.run)
	}
	if _, err := ds.DB.Redis.Do(ctx, upstash.Cmd(begin...).Idempotent()); err != nil {
		return report, redis.Wrap("begin to close "+report.Date, err)
	}
	details := false
	if archive != nil {
		var err error
		if details, err = ds.anyDetails(ctx, day.Date); err != nil {
			return report, redis.Wrap("close "+report.Date, err)
		}
	}
	took := dayTaken{expires: expires, xp: map[string]float64{}, played: map[string]struct{}{}, known: ProfileCache{}, empty: day.Empty}
	var failed error
	for _, m := range day.All {
		field, due := left[m]
		var into DayArchive
		if due {
			into = archive
		}
		r := Reading{Board: game.BoardOf(m, period, game.Scope{}), Known: took.known, plain: !details}
		for _, group := range day.Scopes[m.Name] {
			r.Groups = append(r.Groups, game.BoardOf(m, period, group))
		}
		n, archiveErr, err := ds.closeMode(ctx, &r, took, into)
		if due {
			report.none = append(report.none, r.none...)
		}
		if err != nil {
			return report, redis.Wrap("close "+report.Date+" of "+m.Name, err)
		}
		report.Results += n
		if archiveErr != nil {
			failed = errors.Join(failed, redis.Wrap("archive "+report.Date+" of "+m.Name, errors.Join(ErrNotArchived, archiveErr)))
		} else if due {
			report.done = append(report.done, field)
			delete(left, m)
		}
	}
	report.Players = len(took.played)
	best, err := ds.countPlayed(ctx, report, took.played)
	report.best = best
	if err == nil {
		err = ds.settle(ctx, report, took, slices.Collect(maps.Values(left)))
	}
	if err != nil {
		report.done = nil
		return report, redis.Wrap("close "+report.Date, err)
	}
	return report, failed
}

// dayTaken is what a closing learns of a day over all its modes.
type dayTaken struct {
	expires time.Time
	xp      map[string]float64 // of the players of modes that give XP
	played  map[string]struct{}
	known   ProfileCache
	empty   map[string]bool // modes that nobody has an entry of any more
}

// take adds what a mode's results give.
func (t dayTaken) take(m *game.Mode, results []game.Result) {
	for _, r := range results {
		t.played[r.Player] = struct{}{}
		if m.GivesXP() {
			t.xp[r.Player] += float64(m.XPOf(r.Score()))
		}
	}
}

// closeMode reads one mode's day and hands it to the archive, if there is one.
func (ds *Days) closeMode(ctx context.Context, r *Reading, took dayTaken, archive DayArchive) (archived int, archiveErr, err error) {
	b := r.Board
	var writer DayWriter
	if archive != nil {
		writer, archiveErr = archive.BeginDay(ctx, b.Mode.Name, b.Period.First())
	}
	r.Bare = archive == nil || archiveErr != nil
	if r.Bare && b.Mode.Policy == game.First { // a first score never changes: no groups to align
		r.Groups = nil
	}
	players, groups := int64(0), derive.Aligner{}
	err = ds.Read(ctx, r, func(results []game.Result) error {
		players += int64(len(results))
		took.take(b.Mode, results)
		groups.Align(results)
		if r.Bare {
			return nil
		}
		if archiveErr = writer.Put(ctx, results); archiveErr != nil {
			r.Bare = true
			return nil
		}
		archived += len(results)
		return nil
	})
	if err == nil && players == 0 && !ds.DB.Now().Before(took.expires) && !took.empty[b.Mode.Name] {
		return 0, game.ErrDayExpired, nil
	}
	ds.Totals.Set(b.Key, players)
	if err == nil {
		groups.Miss(r.left)
		err = ds.Rollup.Realign(ctx, b, groups.Astray(r.Groups), took.expires)
	}
	if err == nil && !r.Bare {
		archiveErr = writer.Finish(ctx)
	}
	return archived, archiveErr, err
}

// countPlayed notes the day in the streaks of all players who played, unless a score was added
// or removed meanwhile. It returns the best streaks that are long enough for a badge.
func (ds *Days) countPlayed(ctx context.Context, closed ClosedDay, played map[string]struct{}) (best map[string]int, err error) {
	if ds.DB.Game.Streak.Off {
		return nil, nil
	}
	least := int64(math.MaxInt64)
	for _, rules := range ds.DB.Game.Features {
		if watcher, ok := rules.(game.StreakWatcher); ok {
			if days, wants := watcher.LeastStreak(); wants {
				least = min(least, days)
			}
		}
	}
	best = map[string]int{}
	d, run := closed.day.Date, player.ClosingRun{Name: closed.run}
	for _, m := range closed.day.Modes {
		run.Fields = append(run.Fields, game.ClosedDay(m.Name, d))
	}
	return best, ds.XP.ChangeStreaksWhile(ctx, run, slices.Collect(maps.Keys(played)), func(player string, r player.Streak) player.Streak {
		r = r.Play(ds.DB.Game.Streak, d)
		if least < math.MaxInt64 {
			if had := r.At(ds.DB.Game.Streak, d).Best; int64(had) >= least {
				best[player] = had
			}
		}
		return r
	})
}

// settleScript replaces the XP of a day, unless that is rolled up already, and notes for which
// modes the run has finished the day. If a score of any mode came in or another run began
// meanwhile, it changes nothing.
//
// KEYS: closed, XP's index of days, XP of the day, new XP of the day
// ARGV: date, seconds that the XP of the day lives, the run, how many modes have finished the
// day, how many the run has begun, their modes' days, the finished ones first, then those of
// the other modes with their marks before the run
// Answer: {calls, "settled" | "overtaken"}
var settleScript = redis.NewScript(`
local run, done, begun = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local ask = {'HMGET', KEYS[1]}
for i = 6, 5 + begun do ask[#ask + 1] = ARGV[i] end
for i = 6 + begun, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local marks = call(unpack(ask))
for i = 1, begun do
  if marks[i] ~= run then return answer('overtaken') end
end
for i = begun + 1, #marks do
  local mark = marks[i] or ''
  if mark ~= ARGV[2 * i + 5 - begun] and string.sub(mark, 1, 5) == 'open ' then return answer('overtaken') end
end
local state = call('HMGET', KEYS[2], ARGV[1], 'fold')
if state[1] == '1' or (state[2] and string.sub(state[2], 1, 10) == ARGV[1]) then
  call('UNLINK', KEYS[4])
else
  call('UNLINK', KEYS[3])
  if call('EXISTS', KEYS[4]) == 1 then
    call('RENAME', KEYS[4], KEYS[3])
    call('EXPIRE', KEYS[3], ARGV[2])
  end
  call('HSET', KEYS[2], ARGV[1], '0')
  call('HINCRBY', KEYS[1], 'xp settled', 1)
end
if done > 0 then
  local put = {'HSET', KEYS[1]}
  for i = 6, 5 + done do
    put[#put + 1] = ARGV[i]
    put[#put + 1] = 'settled ' .. run
  end
  call(unpack(put))
end
return answer('settled')
`)

// settle replaces the day's XP, and notes which modes have finished the day. left are the days
// of modes that the next run has to close.
func (ds *Days) settle(ctx context.Context, closed ClosedDay, took dayTaken, left []string) error {
	key := game.XPDayKey(closed.day.Date)
	scratch := ds.DB.Scratch(key)
	if err := ds.DB.WriteMembers(ctx, scratch, took.xp); err != nil {
		return err
	}
	args := slices.Concat([]string{
		closed.Date, redis.Itoa(max(player.DaySeconds, ds.DB.SecondsUntil(took.expires))), closed.run,
		redis.Itoa(int64(len(closed.done))), redis.Itoa(int64(len(closed.done) + len(left))),
	}, closed.done, left)
	for _, other := range closed.day.Marks {
		args = append(args, other.Field, other.Mark)
	}
	_, err := ds.DB.Redis.Do(ctx, settleScript.Command([]string{game.ClosedKey, game.DaysKey(game.XPMode), key, scratch}, args...).Idempotent())
	return err
}

// Day is the date that was closed.
func (c ClosedDay) Day() game.Date { return c.day.Date }

// Best returns the best streak, including the day, of each player who played on it and whose
// streak is long enough for one of the game's badges.
func (c ClosedDay) Best() map[string]int { return c.best }

// Groups returns the groups that have boards of the day, in any mode.
func (c ClosedDay) Groups() []string {
	var groups []string
	for _, scopes := range c.day.Scopes {
		for _, s := range scopes {
			if s.Kind() == game.Group && !slices.Contains(groups, s.ID()) {
				groups = append(groups, s.ID())
			}
		}
	}
	slices.Sort(groups)
	return groups
}

// Days reads days whole and closes them. It is safe for concurrent use.
type Days struct {
	DB      *redis.DB
	Totals  *derive.Totals
	Notices *control.Notices
	Players *player.Profiles
	Rollup  *derive.Rollup
	XP      *player.XP
}
