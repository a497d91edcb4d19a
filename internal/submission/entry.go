package submission

import (
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/problem"
)

// Entry is what a score is for: one player, mode and date.
type Entry struct {
	Mode   *game.Mode
	Player string
	Date   game.Date
}

// ReadEntry reads a body that names an entry and nothing else. It does not check that the
// date is open, see CheckOpen.
func (r Reader) ReadEntry(raw []byte, by Sender) (Entry, error) {
	f := fields.Open(raw, "")
	var s sentEntry
	s.readMode(f, r.game)
	s.readPlayer(f, by)
	s.readDate(f, r.game, by)
	s.checkNames(f, by)
	if err := f.Done(); err != nil {
		return Entry{}, err
	}
	return r.entry(s, by)
}

// entry is the one that a body names, if the sender may send scores for it.
func (r Reader) entry(s sentEntry, by Sender) (Entry, error) {
	switch {
	case s.mode == nil:
		return Entry{}, problem.UnknownMode(s.modeName)
	case r.game.Activity.Computes(s.mode):
		return Entry{}, problem.Forbidden("the scores of the mode " + s.mode.Called() + " are computed from what players do; send that to POST /v1/events")
	case by.IsServer():
		return Entry{s.mode, s.player, s.date}, nil
	case s.hasPlayer:
		return Entry{}, problem.Forbidden("only a game server may name the player; with a session token it is the token's own")
	case s.mode.Authoritative:
		return Entry{}, problem.Forbidden("the mode " + s.mode.Called() + " takes scores from game servers only")
	}
	return Entry{s.mode, by.Player.ID, s.date}, nil
}

// CheckOpen refuses dates that take no scores now. The operator may write to days that are
// closed to players; nobody may write to upcoming days.
func (r Reader) CheckOpen(d game.Date, by Sender) error {
	switch {
	case r.game.Open(d, by.Now):
		return nil
	case by.Now.Before(r.game.Opens(d)):
		return problem.ClosedDate(r.game, d, by.Now, "not open yet")
	case by.Operator:
		return nil
	}
	return problem.ClosedDate(r.game, d, by.Now, "closed")
}
