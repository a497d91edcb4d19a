// Package audit records what each submission did, in games whose file says so: the entry before
// and after it, and with which credential it was sent.
//
// It knows what a submission does by its mode's policy, and answers the operator's questions.
// It must not know SQL: package auditstore has the record's table.
package audit

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Rules are how a game records what each of its submissions did. The zero value: it does not.
type Rules struct {
	// Since is the first date whose record is complete: the game had this rule before the date
	// began. Of earlier dates nobody knows the entries before each submission.
	Since  game.Date
	Months int // how many months of the record are kept, besides the one under way
}

// RulesOf returns those of a game.
func RulesOf(g *game.Game) Rules { return game.RulesOf[Rules](g) }

// Enabled reports whether there is a record.
func (r Rules) Enabled() bool { return !r.Since.IsZero() }

// Bounds of the months that a record is kept: days take scores for 30 days at most, and their
// submissions are judged by what the record has of the day.
const (
	minMonths = 3
	maxMonths = 120
	// UsualMonths is used if the file says nothing.
	UsualMonths = 24
)

// Check reports what is wrong with the rules.
func (r Rules) Check(g *game.Game, c *game.Checker) {
	if !g.Outbox {
		c.Add("audit", "the record is made of the outbox, and the game keeps none", "set outbox: true, or leave audit out")
	}
	c.Within("audit.months", float64(r.Months), minMonths, maxMonths)
}

// Complete notes that submissions are kept with their credentials.
func (r Rules) Complete(g *game.Game) game.FeatureRules {
	g.Credentials = true
	return r
}

// Outcomes in a record that no answer has.
const (
	Refused  game.Status = "refused" // the day's total would have left its bounds
	NotKnown game.Status = "unknown" // the entry before it is not known
)

// Entry is a submission in the record, without groups and details.
type Entry struct {
	game.Posted
	Taken   time.Time // when Redis took it, to a millisecond
	N       int64     // orders those of one millisecond
	Before  *float64  // the entry before it; nil: none, or not known
	After   *float64  // the entry after it; nil: none, or not known
	Outcome game.Status
}

// Query is a question to the record: about a player, a mode or both, and the dates of the boards.
type Query struct {
	Player   string // erased or not; "": any
	Mode     string // "": any
	From, To game.Date
}

// Place is where a submission is in the record: by date, by mode, and by when Redis took it. The
// zero value is the beginning.
type Place struct {
	Date  game.Date
	Mode  string
	Taken time.Time
	N     int64
}

// Place is where the submission is in the record.
func (e Entry) Place() Place { return Place{e.Date, e.Mode, e.Taken, e.N} }

// Judge returns what became of a submission, and the entry after it. Stood is the entry before
// it, nil for none. Counted reports whether a submission with the same idempotency record had
// counted before.
//
// Submissions are judged in the order in which Redis took them. A write that has to replace an
// entry takes a second step, so among writes of one moment the record may have another order
// than Redis had. The entry after them is the same: under first and sum a write is one step,
// and under best and latest the order does not matter.
func Judge(m *game.Mode, p game.Posted, stood *float64, counted bool) (current *float64, did game.Status) {
	switch {
	case m.Policy == game.Sum && counted:
		return stood, game.Replayed
	case m.Policy == game.Sum:
		return judgeSum(m, p.Stored, stood)
	case stood == nil:
		return &p.Stored, game.Accepted
	case *stood == p.Stored:
		return stood, game.Replayed
	case m.Replaces(*stood, p.Stored), m.Policy == game.First && p.Queued && isEarlier(m, p.Stored, *stood):
		return &p.Stored, game.Improved
	}
	return stood, game.Kept
}

func judgeSum(m *game.Mode, stored float64, stood *float64) (current *float64, did game.Status) {
	total, did := m.Decode(stored), game.Accepted
	if stood != nil {
		total, did = total+m.Decode(*stood), game.Improved
	}
	if total < m.DayMin || total > m.DayMax {
		return stood, Refused
	}
	sum := float64(total) + game.Fraction(m, stored)
	return &sum, did
}

// isEarlier reports whether an entry was played before another, by their tie fractions.
func isEarlier(m *game.Mode, stored, than float64) bool {
	if m.Order == game.Desc {
		return game.Fraction(m, stored) > game.Fraction(m, than)
	}
	return game.Fraction(m, stored) < game.Fraction(m, than)
}
