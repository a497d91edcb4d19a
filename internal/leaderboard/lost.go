package leaderboard

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// A board may be empty in Redis because nobody played, or because Redis has lost it. A process
// remembers for a while which of the two it found, so that not every reader of an empty board
// asks the archive.

const (
	rememberFindings = 4096             // boards
	findingFresh     = 10 * time.Minute // how long a finding is believed
)

// finding is what a process last found out about a board.
type finding struct {
	board   state
	at      time.Time
	players int64 // in the archive, for a period that is not over
}

type state int

const (
	there state = 1 + iota // Redis has it
	empty                  // nobody is on it
	lost                   // the archive has it, and Redis does not
)

func (r *Reader) remembers(b game.Board, as state) bool {
	f, ok := r.found.Get(b.Key)
	age := r.boards.DB.Now().Sub(f.at)
	return ok && f.board == as && age >= 0 && age < findingFresh
}

// isArchived reports whether the archive answers for a board. It does if the board has expired
// by the age of its period, or if Redis is known to have lost it.
func (r *Reader) isArchived(b game.Board, age game.Lifecycle) bool {
	return r.archive != nil && (age == game.Expired || age >= game.Closed && r.remembers(b, lost))
}

// isLost reports whether a board of a period that is over is not in Redis, but
// in the archive.
//
// Cost: nothing if the process remembers that the board is empty; else 1 billed command, unless
// the total is fresh, and 1 or 2 round trips to Postgres if the board is empty. Errors: those
// of the archive.
func (r *Reader) isLost(ctx context.Context, b game.Board) (bool, error) {
	if r.remembers(b, empty) {
		return false, nil
	}
	var players int64
	var p redis.Pipeline
	r.boards.Totals.Ask(&p, b.Key, &players)
	if _, err := p.Run(ctx, r.boards.DB.Redis); err != nil {
		return false, redis.Wrap("count "+b.Key, err)
	}
	found := there
	if players == 0 {
		run, err := r.archive.Page(ctx, b, 1, 0, nil)
		if err != nil {
			return false, err
		}
		if found = empty; run.Total > 0 {
			found = lost
		}
	}
	r.keepFinding(b, finding{board: found})
	return found == lost, nil
}

func (r *Reader) keepFinding(b game.Board, f finding) {
	f.at = r.boards.DB.Now()
	r.found.Add(b.Key, f)
	if f.board == lost && r.lost != nil {
		r.lost()
	}
}

// ErrLacking is why an answer of a board is stale that outlives its days.
var ErrLacking = errors.New("days of the board expired before roll-up: it is unchanged until they are restored")

// noteLacking has a repair begin, at most as often as for other boards, if a board that was just
// refreshed lacks days.
func noteLacking(r *Reader, b game.Board) {
	if _, lacking := derive.Lacking(r.boards.Rollup, b); !lacking || r.archive == nil {
		return
	}
	b.Key = game.MadeKey(b.Key) // the board itself is in Redis
	if !r.remembers(b, lost) {
		r.keepFinding(b, finding{board: lost})
	}
}

// errLostBoard is why a page of a period that is not over comes from the archive, or lacks
// players.
var errLostBoard = errors.New("the board is missing in Redis, and is rebuilt from the archive")

// errLostDay is why the empty page of a day that was played is stale.
var errLostDay = errors.New("the day had scores, and neither Redis nor the archive has it")

// NotWhole reports whether an answer is stale because its board is not whole, rather than because
// Redis refuses. It is not for caches: it may be whole with the next request.
func NotWhole(stale error) bool {
	return errors.Is(stale, ErrLacking) || errors.Is(stale, errLostBoard) || errors.Is(stale, errLostDay)
}

// suspects reports whether this process has found out, not long ago, that Redis was lost. Then a
// board that has players may lack others.
func suspects(r *Reader) bool {
	at, ok := r.lossAt.Load().(time.Time)
	age := r.boards.DB.Now().Sub(at)
	return ok && age >= 0 && age < findingFresh
}

// lostEver reports whether Redis has lost players of all time. The archive does not have that
// board, but it knows the day of the most players: if all time has not even half as many, it is
// lost. It is looked for if a page is empty, or this process knows of a loss.
//
// Cost: nothing; 1 billed command for a scope, and 1 round trip to Postgres, if a page is empty.
func (r *Reader) lostEver(ctx context.Context, b game.Board, players int64, isPage bool) bool {
	if b.Mode.Ratings != nil || b.Mode.Bands != nil && b.Scope != (game.Scope{}) { // bands are counted elsewhere
		return false
	}
	all := game.BoardOf(b.Mode, b.Period, game.Scope{})
	f, ok := r.found.Get(all.Key)
	age := r.boards.DB.Now().Sub(f.at)
	fresh := ok && age >= 0 && age < findingFresh
	if fresh && f.board != lost || !fresh && !suspects(r) && (players > 0 || !isPage) {
		return false
	}
	if b.Scope != (game.Scope{}) {
		var p redis.Pipeline
		r.boards.Totals.Ask(&p, all.Key, &players)
		if _, err := p.Run(ctx, r.boards.DB.Redis); err != nil {
			return false
		}
	}
	if !fresh {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		most, err := r.archive.MostPlayers(ctx, sourcesOf(r.boards.DB.Game, b.Mode))
		if err != nil {
			return false
		}
		f = finding{board: empty, players: most}
		if 2*players < most {
			f.board = lost
		}
		r.keepFinding(all, f)
	}
	return f.board == lost && 2*players < f.players
}

// sourcesOf are the modes whose days a mode's board of all time is made of.
func sourcesOf(g *game.Game, m *game.Mode) (modes []string) {
	if m.Name != game.XPMode {
		return []string{m.Name}
	}
	for _, m := range g.Modes {
		if m.GivesXP() {
			modes = append(modes, m.Name)
		}
	}
	return modes
}

// lostDay reports whether the board of an expired day, of which the archive has nobody, was
// played: it expired before it was rolled up.
//
// Cost: 1 billed command.
func (r *Reader) lostDay(ctx context.Context, b game.Board) bool {
	if b.Period.Kind() != game.Day || b.Scope != (game.Scope{}) || b.Mode.Ratings != nil {
		return false
	}
	return r.boards.Rollup.Calendar.WasPlayed(ctx, b.Mode, b.Period.First())
}

// lostOpen reports whether Redis has lost players of the board of an open period. If a page
// finds the board empty, lostOpen asks the archive, for no longer than patience, and remembers
// the finding for a while. If the archive has nobody, it is not asked again so soon. If it has
// players, an answer with fewer players than these counts as lost.
//
// Cost: no commands; 2 round trips to Postgres if a page is empty, or this process knows of a loss.
func (r *Reader) lostOpen(ctx context.Context, b game.Board, players int64, isPage bool) bool {
	f, ok := r.found.Get(b.Key)
	age := r.boards.DB.Now().Sub(f.at)
	if fresh := ok && age >= 0 && age < findingFresh; fresh || !suspects(r) && (players > 0 || !isPage) {
		return fresh && f.board == lost && players < f.players
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found := finding{board: empty}
	if at, err := r.archive.SavedAt(ctx, b); err == nil && !at.IsZero() {
		if run, err := r.archive.Page(ctx, b, 1, 0, nil); err == nil && run.Total > 2*players { // claimed devices may stand in the archive for a while
			found = finding{board: lost, players: run.Total}
		}
	}
	r.keepFinding(b, found)
	return found.board == lost
}
