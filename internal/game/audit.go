package game

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Audit is how a game records what each of its submissions did. The zero value: it
// does not.
type Audit struct {
	// Since is the first date whose record is complete: the game had this rule before the date
	// began. Of earlier dates nobody knows the entries before each submission.
	Since  Date
	Months int // how many months of the record are kept, besides the one under way
}

// On reports whether there is a record.
func (a Audit) On() bool { return !a.Since.IsZero() }

// Bounds of the months that a record is kept: days take scores for 30 days at most, and their
// submissions are judged by what the record has of the day.
const (
	minAuditMonths = 3
	maxAuditMonths = 120
	// UsualAuditMonths is used if the file says nothing.
	UsualAuditMonths = 24
)

func checkAudit(c *Checker, g *Game) {
	if !g.Audit.On() {
		return
	}
	if !g.Outbox {
		c.Add("audit", "the record is made of the outbox, and the game keeps none", "set outbox: true, or leave audit out")
	}
	c.Within("audit.months", float64(g.Audit.Months), minAuditMonths, maxAuditMonths)
}

// Credential is the kind of credential by which a submission was made.
type Credential string

// The kinds of credentials.
const (
	SessionToken    Credential = "player"
	DeviceToken     Credential = "device"
	ServerSignature Credential = "server"
	OperatorToken   Credential = "operator" // beside a game server's signature
)

// Outcomes in a record that no answer has.
const (
	Refused  Status = "refused" // the day's total would have left its bounds
	NotKnown Status = "unknown" // the entry before it is not known
)

// Audited is a submission in the record, without groups and details.
type Audited struct {
	Posted
	Taken   time.Time // when Redis took it, to a millisecond
	N       int64     // orders those of one millisecond
	Stood   *float64  // the entry before it; nil: none, or not known
	Stands  *float64  // the entry after it; nil: none, or not known
	Outcome Status
}

// AuditQuery is a question to the record: about a player, a mode or both, and the dates of the
// boards.
type AuditQuery struct {
	Player   string // erased or not; "": any
	Mode     string // "": any
	From, To Date
}

// AuditPlace is where a submission is in the record: by date, by mode, and by when Redis took
// it. The zero value is the beginning.
type AuditPlace struct {
	Date  Date
	Mode  string
	Taken time.Time
	N     int64
}

// Place is where the submission is in the record.
func (a Audited) Place() AuditPlace { return AuditPlace{a.Date, a.Mode, a.Taken, a.N} }

// TakenAt is when Redis took a submission that is kept by itself, and its number among those
// of the same millisecond.
func (p Posted) TakenAt() (at time.Time, n int64, err error) {
	ms, rest, _ := strings.Cut(p.StreamID, "-")
	milliseconds, err := strconv.ParseInt(ms, 10, 64)
	if err == nil {
		n, err = strconv.ParseInt(rest, 10, 64)
	}
	if err != nil {
		return at, 0, fmt.Errorf("%q is no id of a submission in a stream", p.StreamID)
	}
	return time.UnixMilli(milliseconds).UTC(), n, nil
}

// Numbered is the submission's id with its number raised by so much.
func (p Posted) Numbered(higher int64) (string, error) {
	at, n, err := p.TakenAt()
	return fmt.Sprintf("%d-%d", at.UnixMilli(), n+higher), err
}

// Judge returns what became of a submission, and the entry after it. Stood is the entry before
// it, nil for none. Counted reports whether a submission with the same idempotency record had
// counted before.
//
// Submissions are judged in the order in which Redis took them. A write that has to replace an
// entry takes a second step, so among writes of one moment the record may have another order
// than Redis had. The entry after them is the same: under first and sum a write is one step,
// and under best and latest the order does not matter.
func Judge(m *Mode, p Posted, stood *float64, counted bool) (current *float64, did Status) {
	switch {
	case m.Policy == Sum && counted:
		return stood, Replayed
	case m.Policy == Sum:
		return judgeSum(m, p.Stored, stood)
	case stood == nil:
		return &p.Stored, Accepted
	case *stood == p.Stored:
		return stood, Replayed
	case m.Replaces(*stood, p.Stored), m.Policy == First && p.Queued && earlier(m, p.Stored, *stood):
		return &p.Stored, Improved
	}
	return stood, Kept
}

func judgeSum(m *Mode, stored float64, stood *float64) (current *float64, did Status) {
	total, did := m.Decode(stored), Accepted
	if stood != nil {
		total, did = total+m.Decode(*stood), Improved
	}
	if total < m.DayMin || total > m.DayMax {
		return stood, Refused
	}
	sum := float64(total) + Fraction(m, stored)
	return &sum, did
}

// earlier reports whether an entry was played before another, by their tie fractions.
func earlier(m *Mode, stored, than float64) bool {
	if m.Order == Desc {
		return Fraction(m, stored) > Fraction(m, than)
	}
	return Fraction(m, stored) < Fraction(m, than)
}
