package play

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/feature/play/once"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
)

// Submitted checks the plays that come back with scores, and lets each take effect once. Only
// requests with a score of their own need Sent and Held.
type Submitted struct {
	Game   *game.Game
	Dealer *Dealer
	Sent   *once.Records
	Held   review.Plays
}

// Reasons for refusing a play that come from its submission.
const (
	proofRequired = "proof-required" // the mode's scores follow from a proof
	proofUnasked  = "proof-unasked"  // the mode has none
)

// Refuse makes the refusal of a play.
func (t Submitted) Refuse(reason, detail string) error { return Refuse(reason, "%s", detail) }

// Check checks a submission against its play, and works the score out if it follows from a
// proof. Game servers need no play.
func (t Submitted) Check(s api.Scored, by api.Sender) (api.Play, game.Score, error) {
	m, none := s.Mode, api.Play{}
	switch {
	case !s.Play.Sent() && m.NeedsPlay && !by.IsServer():
		return none, 0, Refuse(Required, "the mode %s requires a play; request one with POST /v1/plays first", m.Called())
	case !s.Play.Sent() && s.Play.Proof == nil && s.Play.Elapsed == nil:
		return none, s.Score, nil
	case !s.Play.Sent() && m.NeedsPlay:
		return none, 0, Refuse(Required, "elapsed and proof require play")
	case !m.NeedsPlay:
		return none, 0, NoneOf(m)
	}
	p, err := t.open(s)
	if err != nil {
		return none, 0, err
	}
	score, held, err := prove(p, s, by.Now.Sub(p.At))
	if err != nil {
		return none, 0, err
	}
	late := p.Timely(t.Game.Play, by.Now, s.Play.Elapsed)
	if neverTimely(late) {
		return none, 0, late
	}
	return api.Play{ID: p.Nonce, Date: p.Date, At: p.At, Race: p.Race, Held: held, Late: late}, score, nil
}

// open opens the play of a submission, and checks that it is for the same entry.
func (t Submitted) open(s api.Scored) (Play, error) {
	p, err := t.Dealer.Open(s.Play.Token)
	switch {
	case err != nil:
		return p, err
	case p.Mode != s.Mode:
		return p, Refuse(OtherMode, "the play is for the mode %s", p.Mode.Called())
	case p.Player != s.Player:
		return p, Refuse(OtherPlayer, "the play is another player's")
	case !s.Date.IsZero() && s.Date != p.Date:
		return p, Refuse(OtherDate, "the play is for %s", p.Date)
	}
	return p, nil
}

// prove works the score out from the proof, if the mode has one. Passed is how long ago the
// play began.
func prove(p Play, s api.Scored, passed time.Duration) (score game.Score, held string, err error) {
	switch {
	case p.Mode.Proof == "" && s.Play.Proof != nil:
		return 0, "", Refuse(proofUnasked, "the mode %s has no proof; leave it out", p.Mode.Called())
	case p.Mode.Proof == "":
		return s.Score, "", nil
	case s.Play.Proof == nil:
		return 0, "", Refuse(proofRequired, "the mode %s computes its scores; send a proof (%s)", p.Mode.Called(), p.Mode.Proof)
	}
	score, held, err = Score(p, Submission{Proof: s.Play.Proof, Passed: passed})
	var fault *game.ScoreError
	if errors.As(err, &fault) {
		err = problem.ScoreOutOfBounds("/proof", fault.Detail)
	}
	return score, held, err
}

// neverTimely reports whether a play that is late or early now cannot have been in time at an
// earlier sending either.
func neverTimely(late error) bool {
	var refused *Refusal
	return errors.As(late, &refused) && (refused.Reason == TooEarly || refused.Reason == TooLong)
}

// shortened is the length to which a body's digest is cut in the record of an answer. A
// different body with the same shortened digest gets the first body's answer.
const shortened = 16

// record is the record to claim for a submission.
func record(sub game.Submission, p api.Play) once.Play {
	return once.Play{
		Mode: sub.Mode, Date: sub.Date, Player: sub.Player, Held: p.Held != "",
		ID: p.Record.ID, Fingerprint: p.Record.Fingerprint[:shortened],
	}
}

// Claim claims a play, or finds its answer.
//
// Cost: that of once.Records.Claim.
func (t Submitted) Claim(ctx context.Context, sub game.Submission, p api.Play) (api.Claim, error) {
	claim, err := t.Sent.Claim(ctx, record(sub, p))
	if errors.Is(err, once.ErrUnsure) {
		err = problem.AfterDeadline(err)
	}
	return claim, err
}

// Answer finds the answer to a play that is too late to be claimed.
//
// Cost: 1 billed command.
func (t Submitted) Answer(ctx context.Context, sub game.Submission, p api.Play) (text string, ok bool, err error) {
	return t.Sent.Find(ctx, record(sub, p))
}

// Hold keeps a score for an operator to look at.
func (t Submitted) Hold(ctx context.Context, sub game.Submission, p api.Play) error {
	sub.Idempotency = game.IdempotencyRecord{ID: idempotency.Digest([]byte("held"), []byte(p.ID)), Fingerprint: p.Record.Fingerprint}
	return t.Held.Put(ctx, review.Play{ID: p.ID, Why: p.Held, Submission: sub})
}
