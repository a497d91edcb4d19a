package derive

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A derived board is as old as its last refresh. But a player must see every score of theirs
// that was answered before they asked. Most players who ask have not played for a while, and
// their entries of the open days show that: each says when it was played, and a refresh that
// began some time later has it. For the other players, the process works the entry out from the
// board's sources.

const (
	// ownMargin is how much earlier than a refresh a score must have been played to be on the
	// board for sure. A write is under way for up to [InFlight], a queue may hold it for 20 s,
	// and clocks differ by up to ClockSkew. Another build of a large board may have begun
	// before the last refresh and end after it, in a function that runs for 29 s at the most.
	ownMargin = 90 * time.Second
	// ClockSkew is how far the clocks of two processes may be apart.
	ClockSkew = 10 * time.Second
)

// OwnEntry is one player's entry on a board, with everything that they have played. A reader makes
// an OwnEntry, calls Ask before it reads the board, and then Entry with what it has read.
type OwnEntry struct {
	ru       *Rollup
	board    game.Board
	player   string
	interval time.Duration
	known    derivation
	settled  bool // the board has everything

	from time.Time // days that closed before this moment were not asked for
	days ownDays
	late redis.Place // when a score of the player last came late into a closed day
}

// ownDay is the player's entry on a day that may have taken a score just now.
type ownDay struct {
	mode *game.Mode
	date game.Date
	key  string
	at   redis.Place
}

// ownDays are ascending.
type ownDays []ownDay

// played reports whether the player has an entry of one of the days.
func (days ownDays) played() bool {
	return slices.ContainsFunc(days, func(day ownDay) bool { return day.at.Found })
}

// texts writes the entries as one text, by which they are compared later.
func (days ownDays) texts() string {
	var text strings.Builder
	for _, day := range days {
		if day.at.Found {
			text.WriteString(day.key + " " + day.at.Text() + "\n")
		}
	}
	return text.String()
}

// newest is the player's entry of the newest day.
func (days ownDays) newest() (at redis.Place) {
	for _, day := range days {
		if day.at.Found {
			at = day.at
		}
	}
	return at
}

// best is the player's best entry.
func (days ownDays) best(a game.Aggregate) (at redis.Place) {
	for _, day := range days {
		at = combineEntries(a, at, day.at)
	}
	return at
}

// read returns the entries by the keys of their boards.
func (days ownDays) read() map[string]redis.Place {
	read := make(map[string]redis.Place, len(days))
	for _, day := range days {
		read[day.key] = day.at
	}
	return read
}

// verified is an entry that this process has worked out, together with the player's entries of
// the days that can still change it, and the entry that the board had. It stays right while
// these are the same.
type verified struct {
	days, stored string
	entry        redis.Place
}

// OwnEntry refreshes a board from which one player's entry is to be read.
//
// Cost: that of [Rollup.Refresh]. Unless this call has made the board, 1 billed command for
// each day that takes scores (on the board of XP for each mode that gives any), mostly one, and
// 1 for late scores, in the round trip of the read. If the player has played since shortly
// before the board was last made: 1 for each other day that the board is made from, and 2 for
// what was rolled up. A process that has worked out the same entry before pays none of these.
func (ru *Rollup) OwnEntry(ctx context.Context, b game.Board, player string) (*OwnEntry, error) {
	if b.Mode.Ratings == nil && (!b.Derived() || ru.Frozen(b)) {
		return &OwnEntry{settled: true}, nil
	}
	known, err := ru.refresh(ctx, b)
	if err != nil {
		return nil, err
	}
	return &OwnEntry{ru: ru, board: b, player: player, interval: ru.Every(b), known: known, settled: known.made || b.OfTeams()}, nil
}

// Ask queues what shows whether the board, read after it, has everything.
func (o *OwnEntry) Ask(p *redis.Pipeline) {
	if o.settled {
		return
	}
	o.listDays()
	for i := range o.days {
		p.Add(upstash.Cmd("ZSCORE", o.days[i].key, o.player), redis.ScoreInto(&o.days[i].at))
	}
	if o.asksLate() {
		p.Add(upstash.Cmd("ZSCORE", game.LateKey, game.BanMember(o.player)), redis.ScoreInto(&o.late))
	}
}

// Entry is the player's entry with everything that was answered before Ask was sent. Stored is
// the entry as the board has it, read after Ask.
func (o *OwnEntry) Entry(ctx context.Context, stored redis.Place) (redis.Place, error) {
	switch {
	case o.settled:
		return stored, nil
	case o.board.Follows():
		if day := o.days[0].at; stored.Found && day.Found && day.Stored != stored.Stored {
			return day, nil
		}
		return stored, nil
	case o.isOn(stored):
		return stored, nil
	}
	was, ok := o.ru.owns.Get(o.id())
	if ok && !o.isLate() && was.days == o.days.texts() && was.stored == stored.Text() {
		return was.entry, nil
	}
	entry, err := o.work(ctx, stored)
	if err != nil {
		return redis.Place{}, redis.Wrap("work out the own entry on "+o.board.Key, err)
	}
	if !entry.Found {
		entry = stored
	}
	o.ru.owns.Add(o.id(), verified{o.days.texts(), stored.Text(), entry})
	return entry, nil
}

// margin is how much earlier than a refresh a score must have been played to be on the board
// for sure. It grows with the players: making a board in pages takes longer then, and
// schedules do that beside refreshes.
func (o *OwnEntry) margin() time.Duration {
	players, _ := o.ru.totals.Last(o.board.Key)
	return ownMargin + time.Duration(players/1000)*time.Second
}

// until is when a score must have been played at the latest to be on the board for sure; false
// if no refresh is known.
func (o *OwnEntry) until() (time.Time, bool) {
	if o.known.since.IsZero() {
		return time.Time{}, false
	}
	until := o.known.since.Add(-o.margin())
	return until, !until.Before(o.from)
}

// listDays lists the days whose entries show whether the board may lack a score: those that
// take scores, and those that have ended so recently that the last refresh may lack their last
// scores.
func (o *OwnEntry) listDays() {
	now := o.ru.db.Now()
	since := now.Add(-2 * o.interval) // a country's board may be made from a board that is itself one interval old
	if o.known.since.After(since) {
		since = o.known.since
	}
	o.from, o.days = since.Add(-o.margin()-ClockSkew), nil
	g := o.ru.db.Game
	newest := g.Today(now).AddDays(1)
	oldest := newest
	for !g.Ends(game.Day.Of(oldest)).Add(g.Grace).Before(o.from) {
		oldest = oldest.AddDays(-1)
	}
	for d := oldest.AddDays(1); !d.After(newest); d = d.AddDays(1) {
		if !o.board.Period.Contains(d) || !o.ru.Calendar.Begins(d) {
			continue
		}
		if o.board.Mode.Name != game.XPMode {
			o.days = append(o.days, ownDay{mode: o.board.Mode, date: d, key: witness(o.board, d)})
			continue
		}
		for _, m := range g.Modes {
			if m.GivesXP() {
				o.days = append(o.days, ownDay{mode: m, date: d, key: game.DayBoardKey(m.Name, d)})
			}
		}
	}
	if o.board.Follows() {
		o.days = []ownDay{{mode: o.board.Mode, date: o.board.Period.First(), key: game.BoardKey(o.board.Mode.Name, o.board.Period, game.Scope{})}}
	}
}

// witness is the board whose entry shows when a day was played: the board of the level or of
// the group if plays write their own entries there, else the board of all players.
func witness(b game.Board, d game.Date) string {
	if day := game.BoardOf(b.Mode, game.Day.Of(d), b.Scope); b.Scope.Written() && !day.Follows() {
		return day.Key
	}
	return game.DayBoardKey(b.Mode.Name, d)
}

// isNew reports whether the player may have played too lately to be on the board.
func (o *OwnEntry) isNew() bool {
	until, ok := o.until()
	if !ok || o.isLate() {
		return true
	}
	for _, day := range o.days {
		if day.at.Found && day.mode.PlayedBefore(o.ru.db.Game, day.date, day.at.Stored).After(until) {
			return true
		}
	}
	return false
}

// asksLate reports whether the look asks for late scores. The current week of all players, the
// card that players look at most, does not: either its days are united for each look anyway, or
// the next refresh brings late scores to it.
func (o *OwnEntry) asksLate() bool {
	b := o.board
	currentWeek := b.Period.Kind() == game.Week && o.ru.db.Age(b.Period) < game.Closed
	return !b.Follows() && !(currentWeek && b.Scope == game.Scope{})
}

// isLate reports whether a score came so late into a closed day that the board may lack it,
// although it was made since the day ended.
func (o *OwnEntry) isLate() bool {
	return o.late.Found && time.UnixMilli(int64(o.late.Stored)).After(o.known.since.Add(-o.margin()))
}

// isOn reports whether everything that the player has played is on the board.
func (o *OwnEntry) isOn(current redis.Place) bool {
	return !o.isNew() && (current.Found || !o.days.played())
}

func (o *OwnEntry) id() EntryID {
	return EntryID{Board: o.board.Key, Player: o.player}
}

// lateNotes is how long a note of a late score is kept: longer than any board goes without
// being made.
const lateNotes = 24 * time.Hour

// NoteLate notes that scores of players came into a day that has closed, so that their own
// cards have these scores at once. Boards have them with their next refresh.
//
// Cost: 3 billed commands.
func (ru *Rollup) NoteLate(ctx context.Context, players []string) error {
	now := ru.db.Now()
	note := []string{"ZADD", game.LateKey, "GT"}
	for _, player := range players {
		note = append(note, redis.Itoa(now.UnixMilli()), game.BanMember(player))
	}
	var p redis.Pipeline
	p.Add(upstash.Cmd(note...).Idempotent(), nil)
	p.Add(upstash.Cmd("ZREMRANGEBYSCORE", game.LateKey, "-inf", redis.Itoa(now.Add(-lateNotes).UnixMilli())).Idempotent(), nil)
	p.Add(upstash.Cmd("EXPIRE", game.LateKey, redis.Itoa(int64(lateNotes.Seconds()))).Idempotent(), nil)
	_, err := p.Run(ctx, ru.db.Redis)
	return redis.Wrap("note late scores", err)
}
