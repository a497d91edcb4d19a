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
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/problem"
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

// checkGroups refuses a player groups that the session token does not name, unless the player
// is known to be a member of them.
func checkGroups(groups []game.Scope, by Sender) error {
	if by.IsServer() {
		return nil
	}
	var untold []string
	for _, group := range groups {
		if !slices.Contains(by.Player.Groups, group.ID()) {
			untold = append(untold, group.ID())
		}
	}
	if len(untold) == 0 {
		return nil
	}
	if by.Belongs != nil {
		if member, err := by.Belongs(untold); err != nil || member {
			return err
		}
	}
	return problem.Forbidden("the player is not known to belong to the group " + untold[0])
}

// scopes are the level and the groups whose boards also get the score, each once.
func (s sent) scopes() (scopes []game.Scope) {
	if s.level != (game.Scope{}) {
		scopes = append(scopes, s.level)
	}
	if !s.mode.HasScope(game.Group) {
		return scopes
	}
	for _, group := range s.groups {
		if !slices.Contains(scopes, group) {
			scopes = append(scopes, group)
		}
	}
	return scopes
}

// profile is how boards show the player; its country also chooses the country's boards. A
// country in the credential wins over one in the request, and both win over a guess from the
// network.
func profile(country string, by Sender) game.Profile {
	return game.Profile{
		Name: by.Player.Name, Picture: by.Player.Picture,
		Country: cmp.Or(by.Player.Country, country, guessedCountry(by.Header)),
	}
}

// guessedCountry is the country of the caller according to a content delivery network's
// header; empty: unknown. Some networks send XX or T1 if they do not know.
func guessedCountry(h http.Header) string {
	for _, name := range [...]string{"CloudFront-Viewer-Country", "CF-IPCountry", "X-Vercel-IP-Country", "X-Client-Geo-Country"} {
		if code := h.Get(name); game.ValidCountry(code) == nil {
			return code
		}
	}
	return ""
}
