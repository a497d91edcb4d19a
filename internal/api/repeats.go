package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/limit"
)

// standing is what this process knows of one player's entry on a day's board.
type standing struct {
	mode   string
	date   game.Date
	player string
}

// rememberStandings bounds what is known, in entries of about 200 bytes.
const rememberStandings = 16_384

// freeRepeat is how often a player may repeat a play without being counted
// among all repeats: whoever sends once more what got lost is never refused for
// what others do.
const freeRepeat = time.Minute

// takeSubmit counts a submission that has passed every check: sub is a player's
// own. The operator's tools are not counted.
func (a scores) takeSubmit(w http.ResponseWriter, r *gate.Request, sub game.Submission) (limit.Decision, error) {
	if r.Caller.Operator {
		return limit.Decision{Allowed: true}, nil
	}
	by := a.gate.Counted(r)
	by.Anonymous = r.Caller.IsDevice()
	if !r.Caller.IsServer() {
		by.Repeat = a.isRepeat(sub)
	}
	return a.gate.CountAs(w, r, by)
}

// isRepeat reports whether a player's submission is to be counted as a repeat: it
// cannot change the board, as far as this process knows, and it is not the
// player's one in a minute.
func (a scores) isRepeat(sub game.Submission) bool {
	if !a.changesNothing(sub) {
		return false
	}
	last, known := a.repeats.Get(sub.Player)
	if now := a.now(); !known || now.Sub(last) >= freeRepeat || now.Before(last) {
		a.repeats.Add(sub.Player, now)
		return false
	}
	return true
}

// changesNothing reports whether a play is known to change nothing: there is one
// where the first counts, or it is no better where the best does.
func (a scores) changesNothing(sub game.Submission) bool {
	stands, known := a.standings.Get(standing{sub.Mode.Name, sub.Date, sub.Player})
	switch {
	case !known, slices.ContainsFunc(sub.Scopes, game.Scope.OwnEntries): // of what stands at levels nothing is known
		return false
	case sub.Mode.Policy == game.First:
		return true
	case sub.Mode.Policy == game.Best && sub.Mode.Order == game.Asc:
		return sub.Score >= stands
	}
	return sub.Mode.Policy == game.Best && sub.Score <= stands
}

// submit writes a submission that has been counted, remembers what stands, and
// uncounts a play that was the day's first: on boards where the first one counts,
// only attempts to repeat it do. Of devices it counts: each new one of them has a
// first play.
func (a scores) submit(ctx context.Context, who gate.Caller, s scoreRequest) (board.Outcome, error) {
	told := a.beside(s.sub)
	outcome, err := a.boards.Submit(ctx, s.sub)
	told()
	if err != nil {
		return outcome, a.dayProblem(err, s.sub, s.now)
	}
	*s.seen = outcome.Seen()
	a.standings.Add(standing{s.sub.Mode.Name, s.sub.Date, s.sub.Player}, outcome.Score)
	if s.sub.Mode.Policy == game.First && outcome.Status == game.Accepted && !who.IsDevice() {
		s.taken.TakeBack()
	}
	return outcome, nil
}
