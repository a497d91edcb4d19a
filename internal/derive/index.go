package derive

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// DayKey is a key of a mode's day.
type DayKey struct {
	Mode    string
	Date    game.Date
	Scope   game.Scope
	Details bool
	Plays   bool // the accepted plays
}

func (k DayKey) Key() string {
	switch {
	case k.Details:
		return game.DetailsKey(k.Mode, k.Date)
	case k.Plays:
		return game.PlaysKey(k.Mode, k.Date)
	}
	return game.BoardKey(k.Mode, game.Day.Of(k.Date), k.Scope)
}

// Index is the key and the field of the index at which a board's day is listed.
func (k DayKey) Index() (key, field string) {
	if k.Scope != (game.Scope{}) {
		return game.ScopedDaysKey(k.Mode), game.ScopedDay(k.Date, k.Scope)
	}
	return game.DaysKey(k.Mode), k.Date.String()
}

// List is the command that lists a board's day on the index, unless it is listed.
func (k DayKey) List() upstash.Command { return k.listAs(DayOpen) }

// ListEmpty is List for a day that may have no board, but other keys.
func (k DayKey) ListEmpty() upstash.Command { return k.listAs(DayEmpty) }

func (k DayKey) listAs(state string) upstash.Command {
	index, field := k.Index()
	return upstash.Cmd("HSETNX", index, field, state).Idempotent()
}

// What the index says of a day.
const (
	DayOpen     = "0"
	DayRolledUp = "1"
	// DayEmpty is for a day that is not rolled up and whose last entry was removed. Redis deletes
	// an empty board, so nothing else shows that this board is neither lost nor expired with
	// entries on it.
	DayEmpty = "empty"
)

// Days of groups and levels are listed with each write. A day of all players is listed once it
// has closed, by the schedule that closes it: until then it is known by its date. A write that
// may reach Redis after that lists its day itself.

const (
	// neverListed is how many days back ListDays looks in a Redis whose days were never listed.
	neverListed = 62
	// mayLag is how many days readers may be ahead of the schedule before they list days
	// themselves.
	mayLag = 2
)

// ListDays lists the closed days of all players that have boards.
//
// Cost: 1 billed command; for each date that is not listed yet 2 more, and for each mode that
// was played on it some 2 to 4.
func (c *Calendar) ListDays(ctx context.Context) error {
	through, err := c.askListed(ctx)
	if err != nil {
		return err
	}
	newest := c.newestClosed()
	if through.Before(newest) {
		after := through
		if after.IsZero() {
			after = newest.AddDays(-neverListed)
		}
		if err := c.listAfter(ctx, after, newest); err != nil {
			return redis.Wrap("list the days that have closed", err)
		}
		through = newest
	}
	c.listed.Store(&through)
	return nil
}

// KnowListed makes sure that this process knows up to which date days are listed. A reader of an
// index calls it first.
//
// Cost: mostly nothing; 1 billed command in a process that has read no index since the last
// closing; that of ListDays if no schedule has listed days lately.
func (c *Calendar) KnowListed(ctx context.Context) error {
	newest := c.newestClosed()
	if known := c.listed.Load(); known != nil && *known == newest {
		return nil
	}
	through, err := c.askListed(ctx)
	if err != nil {
		return err
	}
	if through.Before(newest.AddDays(-mayLag)) {
		return c.ListDays(ctx)
	}
	c.listed.Store(&through)
	return nil
}

// listedThrough is up to which date days are listed, as far as this process knows.
func (c *Calendar) listedThrough() game.Date {
	if known := c.listed.Load(); known != nil && !known.After(c.newestClosed()) {
		return *known
	}
	return c.newestClosed().AddDays(-mayLag) // it has just forgotten, or the clock was put back
}

// askListed reads up to which date days are listed; the zero Date if they never were, or if the
// clock was put back since.
func (c *Calendar) askListed(ctx context.Context) (through game.Date, err error) {
	text, err := redis.Field(ctx, c.db.Redis, game.ClosedKey, game.ListedField)
	if err == nil && text != "" {
		if through, err = game.ParseDate(text); through.After(c.newestClosed()) {
			through = game.Date{}
		}
	}
	return through, redis.Wrap("ask which days are listed", err)
}

// newestClosed is the newest date that has closed. Writes that come later list it themselves.
func (c *Calendar) newestClosed() game.Date {
	d := c.db.Game.Today(c.db.Now()).AddDays(1)
	for !c.db.Game.Closed(game.Day.Of(d), c.db.Now()) {
		d = d.AddDays(-1)
	}
	return d
}

func (c *Calendar) listAfter(ctx context.Context, through, newest game.Date) error {
	var days []DayKey
	for d := through.AddDays(1); !d.After(newest); d = d.AddDays(1) {
		for _, m := range c.db.Game.Modes {
			days = append(days, DayKey{Mode: m.Name, Date: d})
		}
	}
	played, err := c.FindExisting(ctx, days)
	if err != nil {
		return err
	}
	// Of a day that nobody is left on, rolling up still sees to what else there is.
	var others []DayKey
	for _, day := range days {
		if m, _ := c.db.Game.Mode(day.Mode); !slices.Contains(played, day) && (m.Details || m.NeedsPlay) {
			others = append(others, DayKey{Mode: day.Mode, Date: day.Date, Details: true}, DayKey{Mode: day.Mode, Date: day.Date, Plays: true})
		}
	}
	left, err := c.FindExisting(ctx, others)
	if err != nil {
		return err
	}
	var p redis.Pipeline
	for _, day := range played {
		p.Add(day.List(), nil)
	}
	for _, key := range left {
		p.Add(DayKey{Mode: key.Mode, Date: key.Date}.ListEmpty(), nil)
	}
	p.Add(upstash.Cmd("HSET", game.ClosedKey, game.ListedField, newest.String()).Idempotent(), nil)
	_, err = p.Run(ctx, c.db.Redis)
	return err
}

// FindExisting lists those of the keys that exist in Redis.
//
// Cost: that of [redis.FindExisting].
func (c *Calendar) FindExisting(ctx context.Context, keys []DayKey) (there []DayKey, err error) {
	texts, of := make([]string, len(keys)), map[string]DayKey{}
	for i, key := range keys {
		texts[i] = key.Key()
		of[texts[i]] = key
	}
	found, err := redis.FindExisting(ctx, c.db.Redis, texts)
	for _, text := range found {
		there = append(there, of[text])
	}
	return there, redis.Wrap("look for boards", err)
}

// emptyScript notes on the indexes which boards of days that were not rolled up are empty.
//
// KEYS: for each board the board and its index. ARGV: for each board the field of its day
// Answer: {calls}
var emptyScript = redis.NewScript(`
local empty = {}
for i = 1, #ARGV do
  local index = KEYS[2 * i]
  if call('EXISTS', KEYS[2 * i - 1]) == 0 then
    empty[index] = empty[index] or {}
    table.insert(empty[index], ARGV[i])
  end
end
for index, fields in pairs(empty) do
  local put = {'HSET', index}
  for i, state in ipairs(call('HMGET', index, unpack(fields))) do
    if state == '` + DayOpen + `' then
      put[#put + 1], put[#put + 2] = fields[i], '` + DayEmpty + `'
    end
  end
  if #put > 2 then call(unpack(put)) end
end
return answer()
`)

// emptyBoards bounds how many boards one call of emptyScript looks at.
const emptyBoards = 1000

// NoteEmpty notes on the index which of some boards nobody is on any more. The caller has removed
// an entry of each, or has found it empty while it lived.
//
// Cost: 1 billed command; if some are empty, 1 more, 1 for each board, and 2 for each index that
// has an empty one.
func (c *Calendar) NoteEmpty(ctx context.Context, keys []DayKey) error {
	for some := range slices.Chunk(keys, emptyBoards) {
		if err := c.noteEmpty(ctx, some); err != nil {
			return redis.Wrap("note which boards are empty", err)
		}
	}
	return nil
}

func (c *Calendar) noteEmpty(ctx context.Context, keys []DayKey) error {
	boards, both, fields := []string{"EXISTS"}, []string{}, []string{}
	for _, key := range keys {
		index, field := key.Index()
		boards, both, fields = append(boards, key.Key()), append(both, key.Key(), index), append(fields, field)
	}
	var there int64
	if err := c.db.Ask(ctx, upstash.Cmd(boards...), redis.IntInto(&there)); err != nil || there == int64(len(keys)) {
		return err
	}
	_, err := c.db.Redis.Do(ctx, emptyScript.Command(both, fields...).Idempotent())
	return err
}
