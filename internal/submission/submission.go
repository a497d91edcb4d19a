// Package submission makes a submission of what is sent of a score. All fields are read
// first; then it is asked whose score it may be, what its play says, whether its date is
// open and for which boards it is. Whoever hands out plays asks the same of one.
//
// It must not know routes, answers, or how a score is written. Nothing is asked of Redis
// before all else is known to be right.
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

// NewReader makes a Reader. The dealer takes the plays back that it has handed out.
func NewReader(g *game.Game, dealer *play.Dealer) Reader { return Reader{g, dealer} }

// Sender is who sends a score, and what is known of it beside what is sent.
type Sender struct {
	gate.Caller
	Now    time.Time
	Alone  bool        // the score is not one of many: its play may come with it, and a view be asked for
	Header http.Header // of a player's own request, for the country; nil: another's
	// Belongs reports whether the player is known to be in groups that the session
	// token does not name; nil: nothing is known. It is asked last.
	Belongs func(groups []string) (bool, error)
}

// Checked is a submission that has passed every check, and what was sent with it.
type Checked struct {
	Submission game.Submission
	View       View
	Play       Play
}

// Play is what a score was played by, and what came of it. The zero Play is none.
type Play struct {
	play.Play
	Held string // why an operator has to look at it; empty: nobody has to
	Late error  // it came too late, unless it came before: then it is answered as it was
}

// Sent reports whether there is a play.
func (p Play) Sent() bool { return p.Mode != nil }

// ReadScore reads and checks one score.
func (r Reader) ReadScore(raw []byte, by Sender) (Checked, error) {
	s, err := r.readSent(raw, by)
	if err != nil {
		return Checked{}, err
	}
	return r.check(s, by)
}

// check holds a score whose fields are well formed against the rules. The first one that
// refuses it is told, and what may have to be asked of Redis is asked last.
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
	if closed != nil && !taken.Sent() { // a play may have come before, when it was open
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

// credential is how a submission was sent, in games with an audit.
func (r Reader) credential(by Sender) game.Credential {
	if !r.game.Audit.On() {
		return ""
	}
	return by.Credential()
}
