// Package submission turns the body of a request into a checked submission. It reads all
// fields first. Then it checks whose score it may be, what its play says, whether its date is
// open, and which boards it is for. Package dealing makes the checks of player, mode and date
// before it hands out a play.
//
// Package submission must not know routes, answers, or how a score is written. It asks Redis
// only after all other checks have passed.
package submission

import (
	"cmp"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/play"
)

// Reader reads the submissions to one game. It is safe for concurrent use.
type Reader struct {
	game   *game.Game
	dealer *play.Dealer
}

// NewReader makes a Reader. The dealer opens the plays that it has handed out.
func NewReader(g *game.Game, dealer *play.Dealer) Reader { return Reader{g, dealer} }

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

// Play is the play of a score, and what the checks say of it. The zero Play means that there
// is none.
type Play struct {
	play.Play
	Held string // why an operator has to look at it; empty: not needed
	Late error  // why it is too late; an answer that it got in time is repeated
}

// Sent reports whether the score came with a play.
func (p Play) Sent() bool { return p.Mode != nil }

// ReadScore reads and checks one score.
func (r Reader) ReadScore(raw []byte, by Sender) (Checked, error) {
	s, err := r.readSent(raw, by)
	if err != nil {
		return Checked{}, err
	}
	return r.check(s, by)
}

// check checks a score with well-formed fields against the rules, and returns the first
// refusal. The checks that may have to ask Redis come last.
func (r Reader) check(s sent, by Sender) (Checked, error) {
	of, err := r.entry(s.sentEntry, by)
	if err != nil {
		return Checked{}, err
	}
	if s.outOfBounds != nil {
		return Checked{}, s.outOfBounds
	}
	taken, err := r.takePlay(s, of, by)
	if err != nil {
		return Checked{}, err
	}
	closed := r.CheckOpen(taken.date, by)
	if closed != nil && !taken.Sent() { // an earlier sending of a play may have been in time
		return Checked{}, closed
	}
	taken.Late = cmp.Or(taken.Late, closed)
	if err := checkGroups(s.groups, by); err != nil {
		return Checked{}, err
	}
	return Checked{
		Submission: game.Submission{
			Mode: of.Mode, Player: of.Player, Date: taken.date, Score: taken.score, At: s.at,
			Scopes: s.scopes(), Details: s.details, Profile: profile(s.country, by), By: r.credential(by),
		},
		View: s.view,
		Play: taken.Play,
	}, nil
}

// credential is the kind of credential that a submission was sent with; empty in games
// without an audit.
func (r Reader) credential(by Sender) game.Credential {
	if !r.game.Audit.On() {
		return ""
	}
	return by.Credential()
}
