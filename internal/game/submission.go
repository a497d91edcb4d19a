package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
)

// What a submission may bring along.
const (
	MaxDetails = 2 << 10 // bytes of compact JSON
	MaxGroups  = 8
)

// Submission is one score of one player for one day. The caller that writes it has checked
// that the mode takes it, that the day is open, and that ids and scopes are well formed.
type Submission struct {
	Mode        *Mode
	Player      string
	Date        Date
	Score       Score
	At          time.Time         // when it was played; orders equal scores
	Scopes      []Scope           // besides global
	Details     json.RawMessage   // compact; nil: none
	Profile     Profile           // what the caller's credential says of the player
	Idempotency IdempotencyRecord // required by sum; under other policies the name of a play that earns
	Posted      bool              // it comes from the outbox, and is not put there again
	Claimed     bool              // its play is counted, and its details are kept with the answer
	By          Credential        // how it was sent, in games with Credentials; "": not known
	Queued      bool              // it comes from a queue
	Held        bool              // it was held, and an operator lets it pass
	ShowsAround bool              // the sender is shown the places around it
}

// IdempotencyRecord makes a request take effect a single time. The zero value is for a request
// that may be repeated, or that has no record.
type IdempotencyRecord struct {
	ID          string // names caller, route and idempotency key
	Fingerprint string // of the request; another request under the same ID is refused
}

// FingerprintRestored replaces the fingerprint of a request whose record was lost with Redis,
// and whose effect was restored. Any request with its ID is a repetition.
const FingerprintRestored = "restored"

// Posted is a submission that is kept by itself: in the outbox, and in the archive, which also
// has submissions to modes that the game no longer has.
type Posted struct {
	StreamID string // 1700000000000-0; unique within its mode and date
	Mode     string
	Date     Date
	Player   string
	Stored   float64 // of this submission alone, with the tie fraction
	Scopes   []Scope
	Details  json.RawMessage // nil: none
	At       time.Time       // when it was played
	Once     string          // if plays are added up: the idempotency record's ID, by which repetitions are known
	By       Credential      // as of the submission
	Queued   bool            // as of the submission
}

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

// Day is the day's board that a submission writes.
func (s Submission) Day() Board { return BoardOf(s.Mode, Day.Of(s.Date), Scope{}) }

// Scoped are the keys of the scoped boards that a submission writes: boards that follow the
// day's board, and boards with entries of their own.
func (s Submission) Scoped() (following, own []string) {
	for _, scope := range s.Scopes {
		key := BoardKey(s.Mode.Name, Day.Of(s.Date), scope)
		if scope.OwnEntries() {
			own = append(own, key)
		} else {
			following = append(following, key)
		}
	}
	return following, own
}

// KeepsDetails reports whether details are kept with the entry.
func (s Submission) KeepsDetails() bool { return s.Mode.Details && len(s.Details) > 0 }

// Recheck checks a submission that has waited against its mode, since the mode's rules may
// have changed meanwhile. It drops what the mode no longer keeps. The date need not be open
// any more: it was when the score was played.
func (s *Submission) Recheck() error {
	m := s.Mode
	if err := ValidPlayer(s.Player); err != nil {
		return err
	}
	if s.Score < m.Min || s.Score > m.Max {
		return fmt.Errorf("%s is outside the bounds; use %s to %s", ShowScore(m, s.Score), ShowScore(m, m.Min), ShowScore(m, m.Max))
	}
	if !s.KeepsDetails() {
		s.Details = nil
	}
	var scopes []Scope
	for _, scope := range s.Scopes {
		if Keeps(m, scope) && !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	s.Scopes = scopes
	if m.Policy == Sum && !s.Idempotency.valid() {
		return errors.New("the mode " + m.Name + " adds scores up, so this requires an idempotency key")
	}
	return nil
}

// valid reports whether both are single words: records have them between spaces.
func (r IdempotencyRecord) valid() bool {
	return r.ID != "" && r.Fingerprint != "" && !strings.ContainsAny(r.ID+r.Fingerprint, " \n{}")
}

// Status says what a play did to the player's entry.
type Status string

// What a play can do.
const (
	Accepted Status = "accepted" // the player's first entry
	Improved Status = "improved" // the entry changed
	Kept     Status = "kept"     // an earlier entry counts
	Replayed Status = "replayed" // this very request had its effect before
)

// ErrDayExpired is returned for a day whose board has outlived its key.
var ErrDayExpired = errors.New("the day's board has left Redis")

// ErrDatabaseAway says that the database behind Redis, which has the history and the graph of
// friends, does not answer, or stopped answering during the call. Every call may be made again.
var ErrDatabaseAway = fault.Unavailable("postgres is not responding; retry",
	"the database of the archive and friends is unreachable; retry", 0)

// DetailsRecord is "stored details": the stored score of the entry that the details were sent
// with, and the details. A total belongs to no single submission, and has anyScore in place of
// a score.
func DetailsRecord(m *Mode, stored float64, details json.RawMessage) string {
	if m.Policy == Sum {
		return anyScore + " " + string(details)
	}
	return FormatStored(stored) + " " + string(details)
}

const anyScore = "*"

// DetailsOf reads a details record for the entry that the player has; nil if the details belong
// to another entry.
//
// Earlier versions wrote the true score, a whole number, in place of the stored one, which has
// a tie fraction. Such a record would fit every entry of that score; so a write that replaces
// an entry by one of the same score deletes the record. Under latest a score may come back
// later: there such a record fits none.
func DetailsOf(record string, m *Mode, current float64) json.RawMessage {
	of, details, ok := strings.Cut(record, " ")
	if !ok || !json.Valid([]byte(details)) {
		return nil
	}
	byScore := m.Policy != Latest && of == strconv.FormatInt(int64(m.Decode(current)), 10)
	if of != anyScore && !byScore {
		if stored, err := strconv.ParseFloat(of, 64); err != nil || stored != current {
			return nil
		}
	}
	return json.RawMessage(details)
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
