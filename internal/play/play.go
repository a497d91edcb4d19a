package play

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Play is what was handed out.
type Play struct {
	Mode      *game.Mode
	Player    string
	Date      game.Date
	At        time.Time // when it began, to the millisecond
	Nonce     string    // its own name among all plays
	Challenge Challenge
	Race      string // that it belongs to; empty: none
}

// Refusal says why a play, or what was sent with it, is not taken.
type Refusal struct {
	Reason string // one word for programs, see docs/plays.md
	Detail string // what was wrong, and what would be right
}

func (r *Refusal) Error() string { return r.Detail }

// Refuse makes a Refusal, whose detail is formatted.
func Refuse(reason, detail string, args ...any) *Refusal {
	return &Refusal{reason, fmt.Sprintf(detail, args...)}
}

// Reasons why a play is refused, whatever its proof.
const (
	NotTaken      = "not-taken"      // the mode hands out none
	Required      = "required"       // the mode takes no score without one
	Forged        = "forged"         // this deployment has not made it
	OtherMode     = "other-mode"     // it was handed out for another mode
	OtherPlayer   = "other-player"   // or to another player
	OtherDate     = "other-date"     // or for another day
	ChallengeGone = "challenge-gone" // its text is not in the game any more
	Used          = "used"           // it came with another body before
	Expired       = "expired"        // its life is over
	TooEarly      = "too-early"      // its challenge cannot be over yet
	TooLong       = "elapsed-above"  // the player says it took longer than there was
	TooShort      = "elapsed-below"  // the player says it took less time than passed
)

// NoneOf refuses a play of a mode that hands out none.
func NoneOf(m *game.Mode) *Refusal {
	return Refuse(NotTaken, "the mode %s has no plays; send the score alone", m.Called())
}

// Expires is when the play is not taken any more.
func (p Play) Expires(rule game.PlayRule) time.Time { return p.At.Add(rule.Life) }

// Timely holds the time that has passed since the play began against its life, its
// challenge and what the player says it took; elapsed nil: the player does not say.
// The error is a *[Refusal].
func (p Play) Timely(rule game.PlayRule, now time.Time, elapsed *time.Duration) error {
	passed := now.Sub(p.At)
	takes := time.Duration(p.Challenge.Seconds) * time.Second
	switch {
	case passed > rule.Life:
		return Refuse(Expired, "the play was good until %s; take a new one", p.Expires(rule).UTC().Format(time.RFC3339))
	case passed < takes:
		return Refuse(TooEarly, "the play takes %s, and by this server's clock %s have passed since it began", seconds(takes), seconds(max(passed, 0)))
	case elapsed == nil:
		return nil
	case *elapsed > passed:
		return Refuse(TooLong, "elapsed says %s, and by this server's clock %s have passed since the play began", seconds(*elapsed), seconds(max(passed, 0)))
	case *elapsed < passed-rule.Slack:
		return Refuse(TooShort, "elapsed says %s, and by this server's clock %s have passed since the play began; it may be less by %s", seconds(*elapsed), seconds(passed), seconds(rule.Slack))
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }
