package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
)

// SentPlay is what a body says of the play of a score.
type SentPlay struct {
	Token   string
	Proof   json.RawMessage
	Elapsed *time.Duration
}

// Sent reports whether there is one.
func (p SentPlay) Sent() bool { return p.Token != "" }

// Scored is what a body says of a score. The zero Date means that it names none.
type Scored struct {
	Target
	Score game.Score // 0 if it follows from a proof
	Play  SentPlay
}

// Play is the play of a score, and what the checks say of it. The zero Play means that there
// is none.
type Play struct {
	ID     string // among all plays
	Date   game.Date
	At     time.Time              // when it began
	Race   string                 // the race that it belongs to; empty: none
	Held   string                 // why an operator has to look at it; empty: not needed
	Late   error                  // why it is too late; an answer that it got in time is repeated
	Record game.IdempotencyRecord // of the submission; it leaves out the player, whom the play names
}

// Sent reports whether the score came with a play.
func (p Play) Sent() bool { return p.ID != "" }

// Reasons for refusing a play that do not come from the play itself.
const (
	NotTaken  = "not-taken"  // no plays are taken here
	ScoreSent = "score-sent" // the score follows from the proof
	Used      = "used"       // it came with another body before
)

// WrittenLater is why a deployment in queue mode takes no plays.
const WrittenLater = "this deployment queues scores, so it accepts none of modes with plays"

// Plays checks the plays that come with scores, and lets each take effect once.
type Plays interface {
	// Check checks a score against its play, and works the score out if it follows from a
	// proof. It refuses a score without a play if the mode needs one; game servers need none.
	Check(s Scored, by Sender) (Play, game.Score, error)
	// Refuse makes the refusal of a play.
	Refuse(reason, detail string) error

	// Claim claims a play, or finds its answer.
	Claim(ctx context.Context, sub game.Submission, p Play) (Claim, error)
	// Answer finds the answer to a play that is too late to be claimed.
	Answer(ctx context.Context, sub game.Submission, p Play) (text string, ok bool, err error)
	// Hold keeps a score for an operator to look at.
	Hold(ctx context.Context, sub game.Submission, p Play) error
}

// noPlays is what a product without plays does: it accepts scores that need none, and those of
// game servers.
type noPlays struct{ Plays }

func (n noPlays) Check(s Scored, by Sender) (Play, game.Score, error) {
	if s.Play.Sent() || s.Play.Proof != nil || s.Play.Elapsed != nil || s.Mode.NeedsPlay && !by.IsServer() {
		return Play{}, 0, n.Refuse(NotTaken, "this deployment accepts no plays")
	}
	return Play{}, s.Score, nil
}

func (noPlays) Refuse(reason, detail string) error {
	return fault.Of(detail, fault.Fault{Code: "play-refused", Detail: detail, Reason: reason})
}

// Claim is the claim of a play by one request, or the answer that is kept.
type Claim interface {
	// Answer is the answer that is kept; ok is false if the caller holds the claim.
	Answer() (text string, ok bool)
	// TookOver reports whether another request had claimed the play before.
	TookOver() bool
	// Release lets the next request claim the play; none says that it had no effect.
	Release(ctx context.Context, none bool) error
	// Keep keeps the answer, and writes the details of the player's entry.
	Keep(ctx context.Context, answer, details string) error
}

// Gain is what a feature adds to the answer to the score of a play.
type Gain interface {
	// Key names it in the answer.
	Key() string
	// Of runs after each write of the score, and may do so again after a crash. It returns what
	// to answer as a text without spaces, by which the answer is kept; empty: nothing.
	Of(ctx context.Context, sub game.Submission, p Play) (text string, err error)
	// Show is the part of the answer that is kept by a text.
	Show(text string) (any, error)
}
