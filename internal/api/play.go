package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/proofs"
	"github.com/framedle/leaderboards/internal/problem"
)

// maxProven is the length of a body whose score follows from a proof of the usual number
// of keys, in bytes. A mode that allows more has as much more room.
const maxProven = 8 << 10

// Reasons why a play is refused that are those of its submission.
const (
	proofRequired = "proof-required" // the mode's scores follow from a proof
	proofUnasked  = "proof-unasked"  // the mode has none
	scoreSent     = "score-sent"     // the score follows from the proof
)

// sentPlay is what a submission says of its play, and what came of it.
type sentPlay struct {
	token   string
	elapsed *time.Duration
	proof   json.RawMessage

	play.Play
	held string // why an operator has to look at it; empty: nobody has to
	late error  // it came too late, unless it came before: then it is answered as it was
}

// sent reports whether the submission has a play.
func (p sentPlay) sent() bool { return p.token != "" }

// keyOr is the idempotency key of a submission: its play's nonce, or else the header's.
func (p sentPlay) keyOr(header string) string {
	if p.sent() {
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
	if p.sent() && (errors.Is(err, idem.ErrReused) || errors.Is(err, board.ErrKeyReused)) {
		return play.Refuse(play.Used, "this play came with another body before; take a new one for each score")
	}
	return err
}

// lateFor has a play's submission be looked for among those of before, instead of being
// refused at once. It is false where there is no play.
func (p *sentPlay) lateFor(err error) bool {
	if p == nil || !p.sent() {
		return false
	}
	if p.late == nil {
		p.late = err
	}
	return true
}

// readPlay reads the fields about a play.
func readPlay(f *fields.Object, by submitter) (p sentPlay) {
	if by.play == nil {
		return p
	}
	p.token, _ = f.Text("play", false)
	p.proof, _ = f.Take("proof", false)
	if text, ok := f.Number("elapsed", false); ok {
		ms, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ms < 0 || ms > (24*time.Hour).Milliseconds() {
			f.Fault("elapsed", "this must be a whole number of milliseconds, 0 to 86400000")
		}
		elapsed := time.Duration(ms) * time.Millisecond
		p.elapsed = &elapsed
	}
	return p
}

// proves reports whether the score is to follow from a proof.
func (p sentPlay) proves(m *game.Mode, by submitter) bool {
	return by.play != nil && m != nil && m.Proof != "" && (p.sent() || !by.IsServer())
}

// takePlay holds a submission against its play, works out what follows from its proof,
// and leaves what it found in by.play. Game servers need no play.
func (a scores) takePlay(f *fields.Object, sub *game.Submission, p sentPlay, by submitter) (err error) {
	m := sub.Mode
	switch {
	case by.play == nil:
		return nil
	case !p.sent() && m.NeedsPlay && !by.IsServer():
		return play.Refuse(play.Required, "the mode %s takes no score without a play; take one with POST /v1/plays first", m.Called())
	case !p.sent() && p.proof == nil && p.elapsed == nil:
		return nil
	case !p.sent() && m.NeedsPlay:
		return play.Refuse(play.Required, "elapsed and proof are said of a play; send it too")
	case !m.NeedsPlay:
		return play.NoneOf(m)
	}
	if p.Play, err = a.dealer.Open(p.token); err != nil {
		return err
	}
	_, dated := f.Values["date"]
	switch {
	case p.Mode != m:
		return play.Refuse(play.OtherMode, "the play is for the mode %s", p.Mode.Called())
	case p.Player != sub.Player:
		return play.Refuse(play.OtherPlayer, "the play is another player's")
	case dated && sub.Date != p.Date:
		return play.Refuse(play.OtherDate, "the play is for %s", p.Date)
	}
	sub.Date = p.Date
	if p.held, err = prove(f, sub, p, by.now.Sub(p.At)); err != nil {
		return err
	}
	*by.play = p
	err = p.Timely(a.game.Play, by.now, p.elapsed)
	var refused *play.Refusal
	if errors.As(err, &refused) && (refused.Reason == play.TooEarly || refused.Reason == play.TooLong) {
		return err // nor can it have been in time before
	}
	if err != nil {
		by.play.lateFor(err)
	}
	return nil
}

// prove has the score follow from the proof, where the mode has one.
func prove(f *fields.Object, sub *game.Submission, p sentPlay, passed time.Duration) (held string, err error) {
	proof, has := proofs.Named(sub.Mode.Proof)
	switch {
	case !has && p.proof != nil:
		return "", play.Refuse(proofUnasked, "the mode %s has no proof; leave it out", sub.Mode.Called())
	case !has:
		return "", nil
	case p.proof == nil:
		return "", play.Refuse(proofRequired, "the mode %s works its scores out; send a proof (%s)", sub.Mode.Called(), sub.Mode.Proof)
	}
	values, verdict, err := proof(p.Play, play.Submission{Proof: p.proof, Passed: passed})
	if err != nil {
		return "", err
	}
	rule, _ := game.ProofNamed(sub.Mode.Proof) // it is one of these, or the game would not have been read
	sub.Score, err = play.Score(sub.Mode, rule, values)
	var fault *game.ScoreError
	if errors.As(err, &fault) {
		return "", problem.ScoreOutOfBounds(f.At+"/proof", fault.Detail)
	}
	return verdict.Held, err
}

// checkProven refuses a body of a proof that is too long, and one that names a score too.
func (p sentPlay) checkProven(f *fields.Object, raw []byte, m *game.Mode) error {
	most := int64(maxProven) * int64(max(m.Challenge.Keys, game.UsualKeys)) / game.UsualKeys
	if int64(len(raw)) > most {
		return problem.TooLarge(most)
	}
	for _, name := range []string{"score", "values"} {
		if _, there := f.Take(name, false); there && p.sent() {
			return play.Refuse(scoreSent, "leave %s out: in the mode %s it follows from the proof", name, m.Called())
		}
	}
	return nil
}

// repeatLate answers a submission that is too late as it was answered before. One that
// was not is refused for what it is late for.
//
// Cost: 1 billed command; none once no answer is kept any more.
func (a sentPlays) repeatLate(w http.ResponseWriter, r *gate.Request, s scoreRequest) error {
	if s.now.Sub(s.play.At) > idem.Life+a.game.Play.Life {
		return s.play.late
	}
	kept, ok, err := a.sent.Find(r.Context(), s.claimed(r.Sent))
	if err != nil {
		return s.play.orUsed(err)
	}
	if !ok {
		return s.play.late
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
