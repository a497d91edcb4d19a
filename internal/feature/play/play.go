// Package play hands out plays, and opens those that come back with a score. A play allows
// its player to send one score of one mode and day. It is a token that only this deployment
// can make, with the moment at which it was made and the challenge that the player got. A
// play is stored nowhere; package once records that it was used.
//
// Package play knows what a play is, when it is valid, and what a proof has to do. It must
// not know HTTP, Redis, or how any proof gets its values.
package play

import (
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
)

// Play is what was handed out to a player.
type Play struct {
	Mode      *game.Mode
	Player    string
	Date      game.Date
	At        time.Time // when it began, to the millisecond
	Nonce     string    // identifies the play among all plays
	Challenge Challenge
	Race      string // the race that it belongs to; empty: none
}

// Refusal says why a play, or what came with it, is refused.
type Refusal struct {
	Reason string // one word for programs, see docs/build/plays.md
	Detail string // what was wrong, and what would be right
}

func (r *Refusal) Error() string { return r.Detail }

func (r *Refusal) Fault() fault.Fault {
	return fault.Fault{Code: "play-refused", Detail: r.Detail, Reason: r.Reason}
}

// Refuse makes a Refusal; args are formatted into its detail.
func Refuse(reason, detail string, args ...any) *Refusal {
	return &Refusal{reason, fmt.Sprintf(detail, args...)}
}

// Reasons for refusing a play that do not depend on its proof.
const (
	NotTaken      = api.NotTaken     // the mode has no plays
	Required      = "required"       // the mode takes no score without a play
	Forged        = "forged"         // this deployment did not make it
	OtherMode     = "other-mode"     // it was handed out for another mode
	OtherPlayer   = "other-player"   // or to another player
	OtherDate     = "other-date"     // or for another day
	ChallengeGone = "challenge-gone" // the game no longer has its text
	Used          = api.Used         // it came with another body before
	Expired       = "expired"        // its life is over
	TooEarly      = "too-early"      // less time has passed than its challenge takes
	TooLong       = "elapsed-above"  // the player claims more time than has passed
	TooShort      = "elapsed-below"  // the player claims much less time than has passed
)

// NoneOf refuses a play of a mode that hands out none.
func NoneOf(m *game.Mode) *Refusal {
	return Refuse(NotTaken, "the mode %s has no plays; send the score alone", m.Called())
}

// Expires is the moment after which the play is refused.
func (p Play) Expires(rule game.PlayRule) time.Time { return p.At.Add(rule.Life) }

// Timely checks the time since the play began against the play's life, its challenge, and
// elapsed, the time that the player claims; nil: no claim. The error is a *[Refusal].
func (p Play) Timely(rule game.PlayRule, now time.Time, elapsed *time.Duration) error {
	passed := now.Sub(p.At)
	takes := time.Duration(p.Challenge.Seconds) * time.Second
	switch {
	case passed > rule.Life:
		return Refuse(Expired, "play expired at %s; request a new one", p.Expires(rule).UTC().Format(time.RFC3339))
	case passed < takes:
		return Refuse(TooEarly, "the play takes %s, but by this server's clock %s have passed since it began", seconds(takes), seconds(max(passed, 0)))
	case elapsed == nil:
		return nil
	case *elapsed > passed:
		return Refuse(TooLong, "elapsed is %s, but by this server's clock %s have passed since the play began", seconds(*elapsed), seconds(max(passed, 0)))
	case *elapsed < passed-rule.Slack:
		return Refuse(TooShort, "elapsed is %s, but by this server's clock %s have passed since the play began; it may be less by %s", seconds(*elapsed), seconds(passed), seconds(rule.Slack))
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }
