package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/held"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/ops"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/once"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/submission"
)

// SentPlays has each play that was sent take effect once.
type SentPlays interface {
	Claim(ctx context.Context, p once.Play) (once.Claim, error)
	Find(ctx context.Context, p once.Play) (answer string, ok bool, err error)
}

// HeldPlays are kept off the boards until an operator has looked at them.
type HeldPlays interface {
	Put(ctx context.Context, p held.Play) error
	ops.HeldPlays
}

// heldStatus is the status of a score that an operator has to look at.
const heldStatus game.Status = "held"

// shortened is how much of a body's digest is kept with an answer: who finds another body
// with the same gets the answer of the first.
const shortened = 16

// sentPlay is the play of a submission, as it is claimed and answered.
type sentPlay struct{ submission.Play }

// keyOr is the idempotency key of a submission: its play's nonce, or else the header's.
func (p sentPlay) keyOr(header string) string {
	if p.Sent() {
		return "play " + p.Nonce
	}
	return header
}

// record names a submission among those with a play. Who sends it is in the play.
func (p sentPlay) record(body []byte) game.IdempotencyRecord {
	return game.IdempotencyRecord{ID: idem.Digest([]byte("play"), []byte(p.Nonce)), Fingerprint: idem.Digest(body)}
}

// orUsed has an error name the play where it speaks of an idempotency key.
func (p sentPlay) orUsed(err error) error {
	if p.Sent() && (errors.Is(err, idem.ErrReused) || errors.Is(err, board.ErrKeyReused)) {
		return play.Refuse(play.Used, "this play came with another body before; take a new one for each score")
	}
	return err
}

// claimed is what is claimed of a submission with a play.
func (s scoreRequest) claimed(body []byte) once.Play {
	of := s.play.record(body)
	return once.Play{
		Mode: s.sub.Mode, Date: s.sub.Date, Player: s.sub.Player, ID: of.ID, Fingerprint: of.Fingerprint[:shortened],
		Held: s.play.Held != "",
	}
}

// sentPlays are the scores that come with a play.
type sentPlays struct{ scores }

// send takes the score of a play, or finds what it was answered before.
//
// Cost: that of once.Records.Claim and of once.Claim.Keep, besides the score.
func (a sentPlays) send(r *gate.Request, s scoreRequest) (answer idem.Answer, replayed bool, err error) {
	if !a.calendar.Writable(s.sub.Date) {
		return answer, false, a.dayProblem(board.ErrDaySealed, s.sub, s.now)
	}
	if err := a.bans.MayPlay(r.Context(), s.sub.Player); err != nil {
		return answer, false, err
	}
	// A player who hangs up and asks again finds the answer.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), idem.Deadline-idem.SettleTime)
	defer cancel()
	claim, err := a.sent.Claim(ctx, s.claimed(r.Sent))
	switch {
	case errors.Is(err, once.ErrUnsure):
		return answer, false, problem.AfterDeadline(err)
	case err != nil:
		return answer, false, err
	}
	if kept, ok := claim.Answer(); ok {
		answer, err = answered(s, kept)
		return answer, true, err
	}
	told, err := a.takeEffect(ctx, r, s, claim.TookOver())
	if err == nil {
		answer, err = told.answer(s)
	}
	settle, cancelSettle := context.WithTimeout(context.WithoutCancel(ctx), idem.SettleTime)
	defer cancelSettle()
	if err != nil {
		// What was refused had no effect, unless that of whoever had the play before.
		none := problem.Of(err).Status < http.StatusInternalServerError && !claim.TookOver()
		if claim.Release(settle, none) != nil {
			err = problem.AfterDeadline(err)
		}
		return answer, false, err
	}
	if err := claim.Keep(settle, told.text(), told.Details); err != nil {
		// An answer that nobody could repeat is not given: a retry might get another.
		return idem.Answer{}, false, problem.AfterDeadline(err)
	}
	return answer, false, nil
}

// takeEffect has a play take effect, maybe for the second time.
func (a sentPlays) takeEffect(ctx context.Context, r *gate.Request, s scoreRequest, again bool) (said, error) {
	if s.play.Held != "" {
		return said{Outcome: board.Outcome{Status: heldStatus}, submitted: s.sub.Score}, a.hold(ctx, r, s)
	}
	told, err := a.have(ctx, r, s)
	if err == nil && again {
		a.complete(s, &told.Outcome)
	}
	return told, err
}

// hold has a score wait for an operator.
func (a sentPlays) hold(ctx context.Context, r *gate.Request, s scoreRequest) error {
	sub := s.sub
	sub.Idempotency = game.IdempotencyRecord{ID: idem.Digest([]byte("held"), []byte(s.play.Nonce)), Fingerprint: idem.Digest(r.Sent)}
	return a.held.Put(ctx, held.Play{ID: s.play.Nonce, Why: s.play.Held, Submission: sub})
}

// complete has the outcome of a play that somebody else has claimed before be that of
// both: the same score, achieved since the play began, is its own. Whether there was
// another one before it only the first would know, who did not live to say so.
func (a sentPlays) complete(s scoreRequest, o *board.Outcome) {
	m := s.sub.Mode
	since := m.PlayedBefore(a.game, s.sub.Date, o.Stored).Add(-m.Resolution())
	if o.Status != game.Kept || o.Score != s.sub.Score || since.Before(s.play.At) {
		return
	}
	if o.Status = game.Improved; m.Policy == game.First {
		o.Status = game.Accepted
	}
	if s.sub.KeepsDetails() {
		o.Details = game.DetailsRecord(m, o.Stored, s.sub.Details)
	}
}

// repeatLate answers a submission that is too late as it was answered before. One that
// was not is refused for what it is late for.
//
// Cost: 1 billed command; none once no answer is kept any more.
func (a sentPlays) repeatLate(w http.ResponseWriter, r *gate.Request, s scoreRequest) error {
	if s.now.Sub(s.play.At) > idem.Life+a.game.Play.Life {
		return s.play.Late
	}
	kept, ok, err := a.sent.Find(r.Context(), s.claimed(r.Sent))
	if err != nil {
		return s.play.orUsed(err)
	}
	if !ok {
		return s.play.Late
	}
	answer, err := answered(s, kept)
	if err != nil {
		return err
	}
	if answer.Status != http.StatusAccepted {
		answer.Body, _ = a.views.beside(r, s, answer.Body)
	}
	gate.WriteOnce(w, r, answer, true)
	return nil
}

// answered is the answer to a play as it was given before.
func answered(s scoreRequest, kept string) (idem.Answer, error) {
	told, err := readSaid(kept)
	if err != nil {
		return idem.Answer{}, fmt.Errorf("read the answer to a play: %w", err)
	}
	return told.answer(s)
}

// answer is that to a play, the first time and whenever it is sent again: both follow
// from what is kept.
func (t said) answer(s scoreRequest) (answer idem.Answer, err error) {
	var says any = newQueuedAnswer(s, heldStatus)
	if t.Status != heldStatus {
		says = t.scoreAnswer(s.sub)
	}
	answer.Status = t.code()
	answer.Body, err = json.Marshal(says)
	return answer, err
}
