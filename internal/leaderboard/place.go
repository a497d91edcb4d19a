package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// How an entry is written onto the day's board.
const (
	ifNew    = "NX" // unless the player has one
	ifHigher = "GT"
	ifLower  = "LT"
	ifLater  = "later" // unless the current one is newer, by its tie fraction
)

// replacing is how the mode's policy lets an entry replace another.
func replacing(m *game.Mode) string {
	switch {
	case m.Policy == game.First:
		return ifNew
	case m.Policy == game.Latest:
		return ifLater
	case m.Order == game.Asc:
		return ifLower
	}
	return ifHigher
}

// putScript writes an entry to the day's board, copies the entry that the player then has to
// the boards of scopes, and asks for the player's position, in one atomic step. It may be sent
// any number of times.
//
// The script passes on replies of Redis as they are, since Lua would print only 14 digits of a
// stored score.
//
// KEYS: the day's board, scoped boards…
// ARGV: how to write, order, stored score, player, rank command or "shared"
// Answer: {calls, players added, position, stored score of the player's entry}
var putScript = redis.NewScript(`
local day, how, desc, new, player = KEYS[1], ARGV[1], ARGV[2] == 'desc', ARGV[3], ARGV[4]
local added, current, position = 0, nil, nil
if how == 'later' then
  current = call('ZSCORE', day, player)
  local newer
  if current then
    local old, score = tonumber(current), tonumber(new)
    local was, is = old - math.floor(old), score - math.floor(score)
    if desc then newer = is < was else newer = is > was end
  end
  if newer or not current then
    added, current = call('ZADD', day, new, player), new
  end
else
  added = call('ZADD', day, how, new, player)
  if added == 1 then current = new end
end
if ARGV[5] ~= 'shared' then
  local at = call(ARGV[5], day, player, 'WITHSCORE')
  position, current = at[1], at[2]
else
  current = current or call('ZSCORE', day, player)
  local score = math.floor(tonumber(current))
  if desc then
    position = call('ZCOUNT', day, string.format('%.0f', score + 1), '+inf')
  else
    position = call('ZCOUNT', day, '-inf', string.format('(%.0f', score))
  end
end
for i = 2, #KEYS do call('ZADD', KEYS[i], current, player) end
return answer(added, position, current)
`)

// placing is a write under the policies first, best and latest.
type placing struct {
	*write
	ranked bool  // the position of the standing entry is known with its score;
	ahead  int64 // if not, how many are better than the submitted score
}

// place writes the entry and finds out what became of it.
//
// A write that was sent twice does not show what its entry replaced, since Redis has the same
// entry either way. So a process that does not know the player's entry writes only if there is
// none, whatever the policy: the current entry then is the player's first, or was there
// before. Only an entry that was there before is replaced: in a second round trip, or at once
// where the process knows it.
func (w *placing) place(ctx context.Context) error {
	how := replacing(w.Mode)
	if !w.was.Found {
		how = ifNew
	}
	attempts, err := w.enter(ctx, how)
	if err == nil && how == ifNew && !w.added && w.Mode.Replaces(w.now.Stored, w.stored) {
		w.was, how = w.now, replacing(w.Mode)
		attempts, err = w.enter(ctx, how)
	}
	if err != nil {
		return err
	}
	w.outcome.Status = w.entered(how, attempts)
	if err := w.rankStanding(ctx); err != nil {
		return err
	}
	return w.noteDetails(ctx)
}

// entered is the status of an entry that was written in the given way.
func (w *placing) entered(how string, attempts int) game.Status {
	switch repeated := w.was.Found && w.was.Stored == w.stored; {
	case w.added: // where another was known, it has been removed
		return game.Accepted
	case w.now.Stored != w.stored, repeated:
		return game.Kept
	case how != ifNew:
		return game.Improved
	case attempts > 1: // an earlier sending of this very call added it
		return game.Accepted
	}
	return game.Kept
}

// enter writes the entry and reads the current one, in one round trip.
func (w *placing) enter(ctx context.Context, how string) (attempts int, err error) {
	var p redis.Pipeline
	var players int64
	w.now, w.ranked, w.whole, w.outcome.Whole = redis.Place{}, false, wholeBoard{}, nil
	if len(w.scoped) > 0 || how == ifLater {
		w.put(&p, how, &players)
	} else {
		p.Add(zadd(how, w.board.Key, game.FormatStored(w.stored), w.Player), redis.IntInto(&players))
		w.askStanding(&p)
	}
	if w.house == nil { // with the first round trip alone: it may be sent again, and is not needed again
		putOwn(&p, w.write)
	}
	if w.KeepsDetails() && !w.Claimed && w.Mode.Policy == game.First {
		p.Add(upstash.Cmd("HSETNX", game.DetailsKey(w.Mode.Name, w.Date), w.Player, w.detailsRecord()).Idempotent(), nil)
	}
	if attempts, err = w.run(ctx, &p); err != nil {
		return attempts, err
	}
	if w.added = players == 1; w.added && !w.ranked {
		w.now.Found, w.now.Stored = true, w.stored
	}
	if w.whole.asked && !w.findInWhole() {
		return attempts, w.askAgain(ctx)
	}
	return attempts, w.findStanding(ctx)
}

// zadd writes entries of which each is conditional. It may be sent any number
// of times.
func zadd(how, key string, members ...string) upstash.Command {
	return upstash.Cmd(append([]string{"ZADD", key, how}, members...)...).Idempotent()
}

// put queues the script, and keeps what it answers.
func (w *placing) put(p *redis.Pipeline, how string, added *int64) {
	keys := append([]string{w.board.Key}, w.scoped...)
	rank := redis.RankCommand(w.board)
	if w.Mode.Ties == game.Shared {
		rank = "shared"
	}
	command := putScript.Command(keys, how, string(w.Mode.Order), game.FormatStored(w.stored), w.Player, rank).Idempotent()
	p.Add(command, func(r upstash.Reply) error {
		values, err := redis.Values(r, 4, "what was added and the current entry")
		if err != nil {
			return err
		}
		if *added, err = values[1].Int64(); err != nil {
			return err
		}
		if w.now.Position, err = values[2].Int64(); err != nil {
			return err
		}
		w.now.Stored, err = values[3].Float64()
		w.now.Found, w.ranked = err == nil, err == nil
		return err
	})
}

// askStanding queues what shows the player's rank in the same round trip: the whole board; or
// else the position for distinct ranks, and the count of better scores for shared ones.
func (w *placing) askStanding(p *redis.Pipeline) {
	if w.whole.asked = w.readsWhole(); !w.whole.asked {
		w.askRank(p)
		return
	}
	p.Add(redis.RangeCommand(w.board, 0, smallBoard), redis.EntriesInto(w.board, &w.whole.entries))
}

func (w *placing) askRank(p *redis.Pipeline) {
	if w.Mode.Ties == game.Earliest {
		w.ranked = true
		p.Add(upstash.Cmd(redis.RankCommand(w.board), w.board.Key, w.Player, "WITHSCORE"), redis.PlaceInto(&w.now))
		return
	}
	p.Add(redis.AheadCommand(w.board, w.Score), redis.IntInto(&w.ahead))
	if w.Mode.Policy != game.First {
		p.Add(upstash.Cmd("ZSCORE", w.board.Key, w.Player), redis.ScoreInto(&w.now))
	}
}

// findStanding reads the current score, unless w.now has it.
func (w *placing) findStanding(ctx context.Context) error {
	if !w.now.Found && !w.ranked {
		if err := w.s.DB.Ask(ctx, upstash.Cmd("ZSCORE", w.board.Key, w.Player), redis.ScoreInto(&w.now)); err != nil {
			return redis.Wrap("read the standing score", err)
		}
	}
	if !w.now.Found {
		return redis.ErrVanished
	}
	return nil
}

// rankStanding sets the position in w.now, unless it is known. For shared ranks, the write has
// counted what is better than the submitted score, which need not be the current one.
func (w *placing) rankStanding(ctx context.Context) error {
	if w.ranked {
		return nil
	}
	w.now.Position = w.ahead
	current := w.Mode.Decode(w.now.Stored)
	if current == w.Score {
		return nil
	}
	err := w.s.DB.Ask(ctx, redis.AheadCommand(w.board, current), redis.IntInto(&w.now.Position))
	return redis.Wrap("rank the standing score", err)
}

// noteDetails writes the details of an entry that has replaced another, or deletes those of
// the replaced one, in a round trip of its own. Under first the details were written with the
// entry. Those of a claimed play are kept with its answer.
func (w *placing) noteDetails(ctx context.Context) error {
	switch {
	case w.now.Stored != w.stored:
		return nil
	case w.Claimed && w.KeepsDetails():
		w.outcome.Details = w.detailsRecord()
		return nil
	case w.Mode.Policy == game.First:
		return nil
	}
	details := game.DetailsKey(w.Mode.Name, w.Date)
	var err error
	switch {
	case w.KeepsDetails():
		_, err = w.s.DB.Redis.Do(ctx, upstash.Cmd("HSET", details, w.Player, w.detailsRecord()).Idempotent())
	case w.outcome.Status == game.Improved && w.dropsDetails(w.was.Stored):
		_, err = w.s.DB.Redis.Do(ctx, upstash.Cmd("HDEL", details, w.Player).Idempotent())
	}
	return redis.Wrap("keep the details", err)
}

// detailsRecord is the record of the write's details, bound to its entry: a card never shows
// them beside another entry, even one of the same score.
func (w *write) detailsRecord() string { return game.DetailsRecord(w.Mode, w.stored, w.Details) }

// dropsDetails reports whether a write deletes the details of the entry that it has replaced:
// its own entry has the same true score, and no details.
func (w *write) dropsDetails(was float64) bool {
	return w.Mode.Details && w.Mode.Policy != game.Latest && len(w.Details) == 0 && was != w.stored && w.Mode.Decode(was) == w.Score
}

// ownPlace finds a player's place on a board, with everything that the player has played: on a
// small derived board from the union of its days, else from the board as it is stored.
type ownPlace struct {
	s      *Store
	board  game.Board
	player string
	united *derive.United
	own    *derive.OwnEntry // if it is not united

	now   redis.Place
	total int64
}

func (s *Store) placeOn(ctx context.Context, b game.Board, player string) (o *ownPlace, err error) {
	o = &ownPlace{s: s, board: b, player: player}
	if o.united, err = s.Rollup.UnitedOf(ctx, b); err == nil && o.united == nil {
		o.own, err = s.Rollup.OwnEntry(ctx, b, player)
	}
	return o, err
}

// ask queues the question for the place and the total.
func (o *ownPlace) ask(p *redis.Pipeline) {
	if o.united != nil {
		o.united.Ask(p)
		return
	}
	o.own.Ask(p)
	p.Add(upstash.Cmd(redis.RankCommand(o.board), o.board.Key, o.player, "WITHSCORE"), redis.PlaceInto(&o.now))
	o.s.Totals.Ask(p, o.board.Key, &o.total)
}

// settle takes the answers. If the stored board lacks a score of the player, their place is
// that of their entry among the others' as they are stored.
//
// Cost: that of [derive.OwnEntry.Entry], and 1 billed command if the board lacks a score.
func (o *ownPlace) settle(ctx context.Context) error {
	if o.united != nil {
		o.now, o.total = o.united.Place(o.player), int64(len(o.united.Entries))
		return nil
	}
	entry, err := o.own.Entry(ctx, o.now)
	if err != nil || !entry.Found || o.now.Found && entry.Stored == o.now.Stored {
		return err
	}
	stored := o.now
	o.now = entry
	if err := o.s.DB.Ask(ctx, redis.BetterCommand(o.board, entry.Stored), redis.IntInto(&o.now.Position)); err != nil {
		return redis.Wrap("rank the own entry", err)
	}
	switch {
	case !stored.Found:
		o.total++
	case (stored.Stored < entry.Stored) == (o.board.Mode.Order == game.Asc): // the stored one is better, and was counted
		o.now.Position--
	}
	return nil
}

// rank is the player's rank. On a stored board whose ranks are shared it is only the position:
// shareRanks corrects it.
func (o *ownPlace) rank() int64 {
	if o.united != nil {
		return o.united.Entries[o.now.Position].Rank
	}
	return o.now.Position + 1
}
