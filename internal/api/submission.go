package api

import (
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// Reader reads the submissions to one game. It is safe for concurrent use.
type Reader struct {
	Game  *game.Game
	Plays Plays // nil: none are accepted
}

func (r Reader) plays() Plays {
	if r.Plays == nil {
		return noPlays{}
	}
	return r.Plays
}

// Sender is who sends a score, and what is known of them besides the body.
type Sender struct {
	gate.Caller
	Now    time.Time
	Alone  bool        // the request has this score only: it may name its play and ask for a view
	Header http.Header // of a player's own request, for the country; nil: sent by somebody else
	// Belongs reports whether the player is known to be a member of groups that the session
	// token does not name; nil: no group is known. It is called last, because it may cost
	// commands.
	Belongs func(groups []string) (bool, error)
}

// Checked is a submission that has passed every check, and what was sent with it.
type Checked struct {
	Submission game.Submission
	View       View
	Play       Play
}

// View names the parts of a result screen that a submission asks for in addition to its own
// answer.
type View []string

// The parts of a view.
const (
	ViewPage    = "page"
	ViewAround  = "around"
	ViewFriends = "friends"
	ViewWeek    = "week"
	ViewMe      = "me"
)

// ViewParts are all parts in the order in which they are read. Names that one part has looked
// up are in memory for the next ones.
func ViewParts() []string { return []string{ViewPage, ViewAround, ViewFriends, ViewWeek, ViewMe} }

// Has reports whether a part is asked for.
func (v View) Has(part string) bool { return slices.Contains(v, part) }

// ReadScore reads and checks one score.
func (r Reader) ReadScore(raw []byte, by Sender) (Checked, error) {
	s, err := r.readSent(raw, by)
	if err != nil {
		return Checked{}, err
	}
	checked, err := r.check(s, by)
	if err == nil && checked.Play.Sent() {
		checked.Play.Record = game.IdempotencyRecord{
			ID: idempotency.Digest([]byte("play"), []byte(checked.Play.ID)), Fingerprint: idempotency.Digest(raw),
		}
	}
	return checked, err
}

// Target is what a score is for: one player, mode and date.
type Target struct {
	Mode   *game.Mode
	Player string
	Date   game.Date
}

// ReadEntry reads a body that names an entry and nothing else. It does not check that the
// date is open, see CheckOpen.
func (r Reader) ReadEntry(raw []byte, by Sender) (Target, error) {
	f := decode.Open(raw, "")
	var s sentEntry
	s.readMode(f, r.Game)
	s.readPlayer(f, by)
	s.readDate(f, by)
	s.checkNames(f, by)
	if err := f.Done(); err != nil {
		return Target{}, err
	}
	return r.entry(s, by)
}

// ReadIncoming reads one score that did not come over HTTP. The item has the form of an item
// of POST /v1/scores/batch, and counts as sent by a game server at a time. The id identifies
// it for ever, so that a sum counts it once.
//
// Cost: none.
func (r Reader) ReadIncoming(item []byte, at time.Time, id string) (game.Submission, error) {
	// The rights are a game server's. The key of its own keeps its records of sums apart from
	// those of other servers.
	by := Sender{Caller: gate.Caller{Server: auth.Server{Key: "incoming"}}, Now: at}
	read, err := r.ReadScore(item, by)
	sub := read.Submission
	if err == nil && sub.Mode.Policy == game.Sum {
		sub.Idempotency = game.IdempotencyRecord{ID: idempotency.Digest([]byte(by.ID()), []byte(id)), Fingerprint: idempotency.Digest(item)}
	}
	return sub, err
}
