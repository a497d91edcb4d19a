package submission

import (
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/proofs"
	"github.com/framedle/leaderboards/internal/problem"
)

// Reasons for refusing a play that come from its submission.
const (
	proofRequired = "proof-required" // the mode's scores follow from a proof
	proofUnasked  = "proof-unasked"  // the mode has none
	scoreSent     = "score-sent"     // the score follows from the proof
)

// taken is what a submission results in: its play, its date, and its score, which was sent or
// follows from the proof.
type taken struct {
	Play
	date  game.Date
	score game.Score
}

// takePlay checks a submission against its play, and works the score out if it follows from a
// proof. Game servers need no play.
func (r Reader) takePlay(s sent, of Entry, by Sender) (taken, error) {
	m := of.Mode
	switch {
	case !s.play.sent() && m.NeedsPlay && !by.IsServer():
		return taken{}, play.Refuse(play.Required, "the mode %s takes no score without a play; take one with POST /v1/plays first", m.Called())
	case !s.play.sent() && s.play.proof == nil && s.play.elapsed == nil:
		return taken{date: of.Date, score: s.score}, nil
	case !s.play.sent() && m.NeedsPlay:
		return taken{}, play.Refuse(play.Required, "elapsed and proof are said of a play; send it too")
	case !m.NeedsPlay:
		return taken{}, play.NoneOf(m)
	}
	p, err := r.openPlay(s, of)
	if err != nil {
		return taken{}, err
	}
	score, held, err := s.prove(p, by.Now.Sub(p.At))
	if err != nil {
		return taken{}, err
	}
	late := p.Timely(r.game.Play, by.Now, s.play.elapsed)
	if neverTimely(late) {
		return taken{}, late
	}
	return taken{Play{p, held, late}, p.Date, score}, nil
}

// openPlay opens the play of a submission, and checks that it is for the same entry.
func (r Reader) openPlay(s sent, of Entry) (play.Play, error) {
	p, err := r.dealer.Open(s.play.token)
	switch {
	case err != nil:
		return p, err
	case p.Mode != of.Mode:
		return p, play.Refuse(play.OtherMode, "the play is for the mode %s", p.Mode.Called())
	case p.Player != of.Player:
		return p, play.Refuse(play.OtherPlayer, "the play is another player's")
	case s.hasDate && of.Date != p.Date:
		return p, play.Refuse(play.OtherDate, "the play is for %s", p.Date)
	}
	return p, nil
}

// prove works the score out from the proof, if the mode has one. Passed is how long ago the
// play began.
func (s sent) prove(p play.Play, passed time.Duration) (score game.Score, held string, err error) {
	proof, has := proofs.Named(s.mode.Proof)
	switch {
	case !has && s.play.proof != nil:
		return 0, "", play.Refuse(proofUnasked, "the mode %s has no proof; leave it out", s.mode.Called())
	case !has:
		return s.score, "", nil
	case s.play.proof == nil:
		return 0, "", play.Refuse(proofRequired, "the mode %s works its scores out; send a proof (%s)", s.mode.Called(), s.mode.Proof)
	}
	values, verdict, err := proof(p, play.Submission{Proof: s.play.proof, Passed: passed})
	if err != nil {
		return 0, "", err
	}
	rule, _ := game.ProofNamed(s.mode.Proof) // it exists, because the game file was accepted
	score, err = play.Score(s.mode, rule, values)
	var fault *game.ScoreError
	if errors.As(err, &fault) {
		return 0, "", problem.ScoreOutOfBounds("/proof", fault.Detail)
	}
	return score, verdict.Held, err
}

// neverTimely reports whether a play that is late or early now cannot have been in time at an
// earlier sending either.
func neverTimely(late error) bool {
	var refused *play.Refusal
	return errors.As(late, &refused) && (refused.Reason == play.TooEarly || refused.Reason == play.TooLong)
}
