package derive

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A small board of all players that is made of its dates alone is read as the union of these
// days. That is one command, which stores nothing, needs no lock and has every player's newest
// scores. Without it, one command would make the board, one would read it, and others would
// tell other processes of it.

const (
	// knownFor is how long a process relies on what it knows of the size of a board that grows.
	knownFor = 15 * time.Minute
	// SmallWeek is the largest week of all players that is read whole for one player's card:
	// 110 KB, and 4 ms of Redis. It saves two commands or three.
	SmallWeek = 2000
	// unitedMost bounds the entries that are united for one reader: those of a week.
	unitedMost = 7 * SmallWeek
	// unitedShare is how long, for each player of a board, a process waits before it unites
	// the board's days once more: fifty processes then keep Redis busy for some 4 % of its
	// time.
	unitedShare = 2 * time.Millisecond
)

// United is a board that is read as the union of its days.
type United struct {
	ru      *Rollup
	board   game.Board
	dates   []game.Date
	sources []string
	Entries []game.Entry // ranked, once what Ask has queued was answered
}

// UnitedOf is a board to be read as the union of its days; nil if it is to be read as it is
// stored: it is large, it is not made of its dates alone, or this process has looked at it so
// lately that uniting it for every look would keep Redis busy.
//
// Cost: nothing, or 2 billed commands if this process does not know how large the board is.
func (ru *Rollup) UnitedOf(ctx context.Context, b game.Board) (*United, error) {
	if ru.UniteUpTo == 0 || b.Mode.Name == game.XPMode || b.Mode.Ratings != nil || !b.Derived() || ru.Frozen(b) ||
		b.Mode.Aggregate == game.Last || !ru.Calendar.datesTell(b) || AddingOf(ru, b).floor {
		return nil, nil
	}
	if in, err := ru.Banded.InBands(ctx, b); err != nil || in != nil {
		return nil, err
	}
	u := &United{ru: ru, board: b, dates: ru.Calendar.begun(b.Period).Dates}
	for _, d := range u.dates {
		u.sources = append(u.sources, game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope))
	}
	if len(u.sources) == 0 {
		return nil, nil
	}
	if small, err := u.isSmall(ctx); err != nil || !small {
		return nil, err
	}
	return u, nil
}

// isSmall reports whether the board is small, and is quiet enough for its days to be united for
// one reader.
//
// Cost: nothing, or 2 billed commands if this process does not know how large the board is.
func (u *United) isSmall(ctx context.Context) (bool, error) {
	ru, key := u.ru, u.board.Key
	last, seen := ru.derived.Get(key)
	since := ru.db.Elapsed() - last.at
	if grows := ru.db.Age(u.board.Period) < game.Closed; !seen || grows && since > knownFor {
		if err := u.count(ctx); err != nil {
			return false, err
		}
	}
	players, _ := ru.knownPlayers(key, u.sources)
	if players > ru.UniteUpTo || players*int64(len(u.sources)) > unitedMost {
		return false, nil
	}
	return !seen || since >= time.Duration(players)*unitedShare, nil
}

// count counts the board's two newest days, unless this process has just done so: from them it
// takes how large the board is. Soon after midnight the newest alone would say too little.
func (u *United) count(ctx context.Context) error {
	ru, today := u.ru, u.ru.db.Game.Today(u.ru.db.Now())
	begun := 0
	for begun < len(u.dates) && !u.dates[begun].After(today) {
		begun++
	}
	var p redis.Pipeline
	for _, day := range u.sources[max(0, begun-2):begun] {
		if _, fresh := ru.totals.Fresh(day); fresh {
			continue
		}
		p.Add(upstash.Cmd("ZCARD", day), func(r upstash.Reply) error {
			players, err := r.Int64()
			if err == nil {
				ru.totals.Set(day, players)
			}
			return err
		})
	}
	_, err := p.Run(ctx, ru.db.Redis)
	return redis.Wrap("count the days of "+u.board.Key, err)
}

// Ask queues the reading of the board.
//
// Cost: 1 billed command.
func (u *United) Ask(p *redis.Pipeline) {
	last, _ := u.ru.derived.Get(u.board.Key)
	last.at = u.ru.db.Elapsed()
	u.ru.derived.Add(u.board.Key, last)
	p.Add(readUnion(u.board.Mode.Aggregate, u.sources), func(r upstash.Reply) error {
		if err := redis.EntriesInto(u.board, &u.Entries)(r); err != nil {
			return err
		}
		if u.board.Mode.Order != game.Asc {
			slices.Reverse(u.Entries)
		}
		u.board.RankAmongThemselves(u.Entries)
		u.ru.totals.Set(u.board.Key, int64(len(u.Entries)))
		return nil
	})
}

// Place is a player's place on the board.
func (u *United) Place(player string) redis.Place {
	i := slices.IndexFunc(u.Entries, func(e game.Entry) bool { return e.Player == player })
	if i < 0 {
		return redis.Place{}
	}
	return redis.Place{Position: int64(i), Stored: u.Entries[i].Stored, Found: true}
}
