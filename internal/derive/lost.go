package derive

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// If a day expires before it was rolled up, the boards that outlive it have more than is left of
// their sources: they stay as they were when they were last made, until the day is brought back
// from the archive or an operator gives it up. They are stale meanwhile. While a day waits to be
// rolled up, which mostly takes a few minutes a day, each refresh therefore notes its moment.

const (
	// lostMark begins the text in the lock of a refresh that found days lost. Then come the
	// moment at which the board was last made, in Unix milliseconds, or 0 if it is not known,
	// and the days.
	lostMark = "lost:"
	// madeSeconds is how long the moment of a refresh is kept.
	madeSeconds = 40 * 24 * 3600
)

// noteMade notes when the board was made, if it may be the last time for a while.
//
// Cost: nothing; 1 billed command while a day waits to be rolled up.
func (u *refreshRun) noteMade(ctx context.Context, days Index) error {
	if u.board.Period.OfDates() || !u.ru.Calendar.hasSealed(days) {
		return nil
	}
	note := upstash.Cmd("SET", game.MadeKey(u.board.Key), redis.Itoa(u.since.UnixMilli()), "EX", redis.Itoa(madeSeconds))
	_, err := u.ru.db.Redis.Do(ctx, note.Idempotent())
	return err
}

// noteLost notes the days that a board lacks; u may be nil. Weeks are complete when their days expire, and lack
// nothing.
//
// Cost: 1 billed command, if days are gone.
func (u *refreshRun) noteLost(ctx context.Context, gone []game.Date) error {
	if u == nil || len(gone) == 0 || u.board.Period.OfDates() {
		return nil
	}
	var made string
	var p redis.Pipeline
	p.Add(upstash.Cmd("GET", game.MadeKey(u.board.Key)), redis.TextInto(&made))
	if _, err := p.Run(ctx, u.ru.db.Redis); err != nil {
		return err
	}
	text := lostMark + made
	for _, d := range gone {
		text += "," + d.String()
	}
	readLost(u, text)
	return nil
}

// markLost says in the lock, for all other processes, which days the board lacks.
//
// Cost: nothing for a board that lacks none, else 1 billed command.
func (u *refreshRun) markLost(ctx context.Context) error {
	if u.lost == "" {
		return nil
	}
	made := int64(0)
	if !u.madeAt.IsZero() {
		made = u.madeAt.UnixMilli()
	}
	_, err := u.ru.db.Redis.Do(ctx, u.set(lostMark+redis.Itoa(made)+","+u.lost))
	return err
}

// readLost reads what a lock says of lost days.
func readLost(u *refreshRun, text string) {
	text, ok := strings.CutPrefix(text, lostMark)
	if !ok {
		return
	}
	made, days, _ := strings.Cut(text, ",")
	u.lost = days
	if ms, err := strconv.ParseInt(made, 10, 64); err == nil && ms > 0 {
		u.madeAt = time.UnixMilli(ms)
	}
}

// lostDays are the days that a board lacks, ascending.
func (d derivation) lostDays() (dates []game.Date) {
	for name := range strings.SplitSeq(d.lost, ",") {
		if day, err := game.ParseDate(name); err == nil {
			dates = append(dates, day)
		}
	}
	return dates
}

// Lacking reports whether a board that was just refreshed is not whole, since days of it were
// lost, and when it was last made. If that is not known, it is the moment from which on it would
// have been noted.
func Lacking(ru *Rollup, b game.Board) (made time.Time, lacking bool) {
	if !b.Derived() || b.Period.OfDates() {
		return time.Time{}, false
	}
	known, _ := ru.derived.Get(b.Key)
	lost := known.lostDays()
	if len(lost) == 0 {
		return time.Time{}, false
	}
	if made = known.since; made.IsZero() {
		made = ru.db.Game.Seals(lost[0])
	}
	return made, true
}

// UseArchive sets where a player's entry of a lost day is looked up: on the board of that day.
// It is called while the parts of a process are made, before any is used.
func UseArchive(ru *Rollup, lookup func(ctx context.Context, day game.Board, players []string) ([]game.Entry, error)) {
	ru.archived = lookup
}

// lostEntries are a player's entries of lost days, as far as the archive has them. whole is false
// if it does not answer for all of them.
func (s *ownSources) lostEntries(ctx context.Context, lost []game.Date) (whole bool) {
	for _, d := range lost {
		if s.o.ru.archived == nil {
			return false
		}
		b := s.board(d)
		found, err := s.o.ru.archived(ctx, b, []string{s.o.player})
		if err != nil {
			return false
		}
		for _, e := range found {
			s.have[b.Key] = redis.Place{Stored: e.Stored, Found: true}
		}
	}
	return true
}

// atLeast is what is surely right of an entry that lacks lost days: the board has these days as
// long as it is not made again.
func (s *ownSources) atLeast(entry, stored redis.Place) redis.Place {
	switch {
	case !stored.Found:
		return entry
	case s.of.Mode.Aggregate == game.Last:
		return stored
	case s.of.Mode.Aggregate == game.Min:
		return combineEntries(game.Min, stored, entry)
	}
	return combineEntries(game.Max, stored, entry)
}
