package board

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Result is everything that stands of one player on one day of one mode.
type Result struct {
	Player  string
	Score   game.Score
	Stored  float64 // as Redis holds it, tie fraction included
	Scopes  []ScopedResult
	Details json.RawMessage // nil: none that belongs to this score
	Profile Profile         // empty where nothing is known
}

// ScopedResult is the player's entry on the board of a scope, which may be
// another than the global one where the player has changed scopes meanwhile.
type ScopedResult struct {
	Scope  game.Scope
	Stored float64
}

// Archive takes days in that have closed.
type Archive interface {
	// BeginDay starts to replace what the archive has of a mode's day.
	BeginDay(ctx context.Context, mode string, d game.Date) (DayWriter, error)
}

// DayWriter takes one day of one mode.
type DayWriter interface {
	Put(ctx context.Context, results []Result) error
	// Finish removes what was not put, and notes that the day is all there.
	Finish(ctx context.Context) error
}

// ClosedDay tells what closing a day did.
type ClosedDay struct {
	Date    string   `json:"date"`
	Modes   []string `json:"modes"`   // those that were not closed before
	Players int      `json:"players"` // in all modes together
	Results int      `json:"results"` // archived

	day  Unclosed
	run  string
	done []*game.Mode
}

// Unclosed is a day whose end and grace have passed and which some modes have
// scores of that no closing has seen.
type Unclosed struct {
	Date  game.Date
	Modes []*game.Mode // not closed
	all   []*game.Mode // with a board for the day
	// scopes that each mode has boards for, on this day
	scopes map[string][]game.Scope
}

// Survey is what the indexes of all modes say, as read at one moment.
type Survey struct {
	closed  map[string]string
	globals []dayIndex // by mode, in the order of the game
}

// Survey reads the indexes of all modes, for the work of a schedule.
//
// Cost: 1 billed command, and 1 for each mode, in 1 round trip.
func (s *Store) Survey(ctx context.Context) (Survey, error) {
	view := Survey{closed: map[string]string{}, globals: make([]dayIndex, len(s.game.Modes))}
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.ClosedKey), fieldsInto(func(fields map[string]string) error {
		view.closed = fields
		return nil
	}))
	for i, m := range s.game.Modes {
		p.add(upstash.Cmd("HGETALL", game.DaysKey(m.Name)), daysInto(&view.globals[i]))
	}
	_, err := p.run(ctx, s.redis)
	return view, wrap("list the days", err)
}

// Played lists the modes that have a board for a day.
func (s *Store) Played(view Survey, d game.Date) []*game.Mode {
	var modes []*game.Mode
	for i, m := range s.game.Modes {
		if view.globals[i].has(d) {
			modes = append(modes, m)
		}
	}
	return modes
}

// Unclosed lists the days to close, oldest first.
//
// Cost: 1 billed command for each mode with scopes that has one.
func (s *Store) Unclosed(ctx context.Context, view Survey) ([]Unclosed, error) {
	now := s.now()
	days := map[game.Date]*Unclosed{}
	for i, m := range s.game.Modes {
		for _, d := range view.globals[i].dates {
			if !s.game.Closed(game.Day.Of(d), now) || view.globals[i].folded[d] && !s.alive(d) {
				continue
			}
			day := days[d]
			if day == nil {
				day = &Unclosed{Date: d, scopes: map[string][]game.Scope{}}
				days[d] = day
			}
			day.all = append(day.all, m)
			if view.closed[game.ClosedDay(m.Name, d)] != closedMark {
				day.Modes = append(day.Modes, m)
			}
		}
	}
	var list []Unclosed
	for _, day := range days {
		if len(day.Modes) > 0 {
			list = append(list, *day)
		}
	}
	slices.SortFunc(list, func(a, b Unclosed) int { return a.Date.Compare(b.Date) })
	return list, s.findScopes(ctx, list)
}

// findScopes completes days by the scopes that their modes have boards of.
func (s *Store) findScopes(ctx context.Context, days []Unclosed) error {
	var p pipeline
	scoped := map[*game.Mode]*map[game.Scope]*dayIndex{}
	for _, day := range days {
		for _, m := range day.Modes {
			if len(m.Scopes) > 0 && scoped[m] == nil {
				scoped[m] = &map[game.Scope]*dayIndex{}
				p.add(upstash.Cmd("HGETALL", game.ScopedDaysKey(m.Name)), scopedInto(scoped[m]))
			}
		}
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("list the scopes of days", err)
	}
	for m, indexes := range scoped {
		for _, scope := range sortedScopes(*indexes) {
			for _, day := range days {
				if (*indexes)[scope].has(day.Date) {
					day.scopes[m.Name] = append(day.scopes[m.Name], scope)
				}
			}
		}
	}
	return nil
}

// closedMark is what the hash of closed days says of one that is. Before that it
// holds the name of the run that reads the day, and then, behind settledMark,
// of the run that has settled it and has not yet refreshed the boards.
const (
	closedMark  = "1"
	settledMark = "settled "
)

// CloseDay takes a day into XP and streaks, and into the archive, if there is
// one, which may fail by itself: the day then counts, but is left to be closed
// again, and the archive's error is returned. A day whose board has left Redis
// is left too, with ErrDayGone, and the archive keeps what it has. A score that comes in meanwhile
// leaves the day unclosed too, for the next run.
//
// Cost, for each mode of up to 10,000 players: 2 billed commands, 1 for details,
// 1 for each scope; for the day 12. For every further 20,000 players 3 for the
// mode, 2 for details, and 14 for the day.
func (s *Store) CloseDay(ctx context.Context, day Unclosed, archive Archive) (ClosedDay, error) {
	run := s.scratch("run")
	report := ClosedDay{Date: day.Date.String(), Modes: []string{}, day: day, run: run}
	begin := []string{"HSET", game.ClosedKey}
	for _, m := range day.Modes {
		report.Modes = append(report.Modes, m.Name)
		begin = append(begin, game.ClosedDay(m.Name, day.Date), run)
	}
	if _, err := s.redis.Do(ctx, upstash.Cmd(begin...).Idempotent()); err != nil {
		return report, wrap("begin to close "+report.Date, err)
	}
	took := dayTaken{xp: map[string]float64{}, played: map[string]struct{}{}}
	archived := day.Modes[:0:0]
	var failed error
	for _, m := range day.all {
		take := archive
		if !slices.Contains(day.Modes, m) {
			take = nil
		}
		n, archiveErr, err := s.readDay(ctx, m, day, took, take)
		if err != nil {
			return report, wrap("close "+report.Date+" of "+m.Name, err)
		}
		report.Results += n
		if archiveErr != nil {
			failed = errors.Join(failed, wrap("archive "+report.Date+" of "+m.Name, archiveErr))
		} else if slices.Contains(day.Modes, m) {
			archived = append(archived, m)
		}
	}
	report.Players = len(took.played)
	if err := s.countPlayed(ctx, day.Date, took.played); err != nil {
		return report, wrap("close "+report.Date, err)
	}
	if err := s.settleDay(ctx, day, archived, took.xp, run); err != nil {
		return report, wrap("close "+report.Date, err)
	}
	report.done = archived
	return report, failed
}

// dayTaken is what a closing learns of a day over all its modes.
type dayTaken struct {
	xp     map[string]float64 // of those who played a mode that gives any
	played map[string]struct{}
}

// readDay reads one mode's day and hands it to the archive, if there is one.
func (s *Store) readDay(ctx context.Context, m *game.Mode, day Unclosed, took dayTaken, archive Archive) (archived int, archiveErr, err error) {
	var writer DayWriter
	var scopes map[string][]ScopedResult
	if archive != nil {
		if writer, archiveErr = archive.BeginDay(ctx, m.Name, day.Date); archiveErr == nil {
			if scopes, err = s.scopesOf(ctx, m, day); err != nil {
				return 0, nil, err
			}
		}
	}
	key := game.BoardKey(m.Name, game.Day.Of(day.Date), game.Scope{})
	players := int64(0)
	err = s.eachMember(ctx, key, func(page []member) error {
		players += int64(len(page))
		for _, e := range page {
			took.played[e.player] = struct{}{}
			if m.XPWeight > 0 {
				took.xp[e.player] += float64(xpOf(m, m.Decode(e.stored)))
			}
		}
		if archive == nil || archiveErr != nil {
			return nil
		}
		results, err := s.results(ctx, m, day.Date, page, scopes)
		if err != nil {
			return err
		}
		archiveErr = writer.Put(ctx, results)
		archived += len(results)
		return nil
	})
	if err == nil && players == 0 && !s.alive(day.Date) {
		return 0, ErrDayGone, nil
	}
	s.totals.set(key, players)
	if err == nil && archive != nil && archiveErr == nil {
		archiveErr = writer.Finish(ctx)
	}
	return archived, archiveErr, err
}

// scopesOf reads the boards of all scopes of a mode's day.
func (s *Store) scopesOf(ctx context.Context, m *game.Mode, day Unclosed) (map[string][]ScopedResult, error) {
	of := map[string][]ScopedResult{}
	for _, scope := range day.scopes[m.Name] {
		key := game.BoardKey(m.Name, game.Day.Of(day.Date), scope)
		err := s.eachMember(ctx, key, func(page []member) error {
			for _, e := range page {
				of[e.player] = append(of[e.player], ScopedResult{scope, e.stored})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

// recordsPage bounds the answer of one read of details or profiles. A page of
// unusually long ones, which would exceed what one answer may have, is read in
// halves.
const recordsPage = 10_000

// results completes a page of a day with scopes, details and profiles.
func (s *Store) results(ctx context.Context, m *game.Mode, d game.Date, page []member, scopes map[string][]ScopedResult) ([]Result, error) {
	results := make([]Result, len(page))
	for i, e := range page {
		results[i] = Result{Player: e.player, Score: m.Decode(e.stored), Stored: e.stored, Scopes: scopes[e.player]}
	}
	for part := range slices.Chunk(results, recordsPage) {
		err := s.resultProfiles(ctx, part)
		if err == nil && m.Details {
			err = s.records(ctx, game.DetailsKey(m.Name, d), part, func(r *Result, record string) { r.Details = detailsOf(record, r.Score) })
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// records reads what a hash holds of each result's player.
func (s *Store) records(ctx context.Context, key string, results []Result, take func(*Result, string)) error {
	command := make([]string, 0, len(results)+2)
	command = append(command, "HMGET", key)
	for _, r := range results {
		command = append(command, r.Player)
	}
	var p pipeline
	p.add(upstash.Cmd(command...), recordsInto(results, take))
	_, err := p.run(ctx, s.redis)
	if half := len(results) / 2; half > 0 && errors.Is(err, upstash.KindTooLarge) {
		return errors.Join(s.records(ctx, key, results[:half], take), s.records(ctx, key, results[half:], take))
	}
	return err
}

// recordsInto hands each record that is there to the result it belongs to.
func recordsInto(results []Result, take func(*Result, string)) func(upstash.Reply) error {
	return func(r upstash.Reply) error {
		records, err := r.Array()
		if err != nil {
			return err
		}
		if len(records) != len(results) {
			return errShape("a record for each player", len(records))
		}
		for i, record := range records {
			if record.IsNil() {
				continue
			}
			text, err := record.Text()
			if err != nil {
				return err
			}
			take(&results[i], text)
		}
		return nil
	}
}

// ReadOpen reads a day that still takes scores, page by page. Who moves while
// it reads may be missed until the next time. Of scopes only the country in the
// player's profile is told, since the boards of all scopes would cost a command
// each.
//
// Cost: 2 billed commands, and 1 for details; from 10,000 players on 3 for every
// 20,000, and 2 for details.
func (s *Store) ReadOpen(ctx context.Context, m *game.Mode, d game.Date, page func([]Result) error) error {
	key := game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})
	return wrap("read "+key, s.eachMember(ctx, key, func(members []member) error {
		results, err := s.results(ctx, m, d, members, nil)
		if err != nil {
			return err
		}
		for i, r := range results {
			if scope, err := game.CountryScope(r.Profile.Country); err == nil && slices.Contains(m.Scopes, game.Country) {
				results[i].Scopes = []ScopedResult{{scope, r.Stored}}
			}
		}
		return page(results)
	}))
}

// countPlayed notes in everybody's streak that the day was played.
func (s *Store) countPlayed(ctx context.Context, d game.Date, played map[string]struct{}) error {
	return s.changeStreaks(ctx, slices.Collect(maps.Keys(played)), func(r streakRecord) streakRecord { return r.play(s.game.Streak, d) })
}

// settleScript puts the XP of a day in place, unless it has been folded, and
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
`, firstInt)

func (s *Store) settleDay(ctx context.Context, day Unclosed, archived []*game.Mode, xp map[string]float64, run string) error {
	scratch := s.scratch(game.XPDayKey(day.Date))
	if err := s.writeMembers(ctx, scratch, xp); err != nil {
		return err
	}
	end, _ := s.game.Expires(game.Day.Of(day.Date))
	args := []string{day.Date.String(), itoa(max(1, s.secondsUntil(end))), run, itoa(int64(len(archived)))}
	for _, m := range archived {
		args = append(args, game.ClosedDay(m.Name, day.Date))
	}
	for _, m := range day.Modes {
		if !slices.Contains(archived, m) {
			args = append(args, game.ClosedDay(m.Name, day.Date))
		}
	}
	_, err := s.redis.Do(ctx, settleScript.Command(
		[]string{game.ClosedKey, game.DaysKey(game.XPMode), game.XPDayKey(day.Date), scratch}, args...).Idempotent())
	return err
}

// RefreshClosed derives the boards of all players that days belong to: their
// weeks and months, all time and XP. Those of scopes are made when somebody
// looks, and once more when their week or month closes.
//
// Cost: for each mode 1 billed command, and for each board that of a refresh,
// but of large ones each day is read once for all; 12 for XP.
func (s *Store) RefreshClosed(ctx context.Context, days []ClosedDay) error {
	if len(days) == 0 {
		return nil
	}
	for _, m := range s.game.Modes {
		var boards []Board
		for _, day := range days {
			if !slices.Contains(day.day.Modes, m) {
				continue
			}
			for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
				b := s.Board(m, kind.Of(day.day.Date), game.Scope{})
				if !slices.Contains(boards, b) && !s.frozen(b) {
					boards = append(boards, b)
				}
			}
		}
		if len(boards) == 0 {
			continue
		}
		if err := s.deriveAll(ctx, m, boards); err != nil {
			return wrap("refresh the boards of "+m.Name, err)
		}
	}
	added := make([]game.Date, len(days))
	for i, day := range days {
		added[i] = day.day.Date
	}
	return wrap("refresh XP", s.rebase(ctx, added))
}

// doneScript marks days as closed that nothing has happened to since the run
// settled them.
//
// KEYS: closed. ARGV: mode's day, what the run left there, …
// Answer: {calls}
var doneScript = upstash.NewScript(`
local ask, put = {'HMGET', KEYS[1]}, {'HSET', KEYS[1]}
for i = 1, #ARGV, 2 do ask[#ask + 1] = ARGV[i] end
local stand = redis.call(unpack(ask))
for i = 1, #stand do
  if stand[i] == ARGV[2 * i] then
    put[#put + 1] = ARGV[2 * i - 1]
    put[#put + 1] = '1'
  end
end
if #put == 2 then return {1} end
redis.call(unpack(put))
return {2}
`, firstInt)

// FinishDays marks days as closed, after all that follows from them is done.
// Until then the next run closes them again.
//
// Cost: 3 billed commands.
func (s *Store) FinishDays(ctx context.Context, days []ClosedDay) error {
	var args []string
	for _, day := range days {
		for _, m := range day.done {
			args = append(args, game.ClosedDay(m.Name, day.day.Date), settledMark+day.run)
		}
	}
	if len(args) == 0 {
		return nil
	}
	_, err := s.redis.Do(ctx, doneScript.Command([]string{game.ClosedKey}, args...).Idempotent())
	return wrap("mark days as closed", err)
}

// RefreshXP makes XP again from everything it is made of, where a closing only
// adds the new day.
//
// Cost: as that of refreshing XP after a closing.
func (s *Store) RefreshXP(ctx context.Context) error { return wrap("refresh XP", s.rebase(ctx, nil)) }
