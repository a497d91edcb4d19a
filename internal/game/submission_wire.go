package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// A submission that waits, in a queue or in the outbox, is a JSON object. The program that
// reads it may be newer or older than the one that wrote it. So the form has a version, and a
// program writes a form only if the version before can read it.
//
//	version  s                                 t
//	1        the true score, as "12.34"        nanoseconds since 1970
//	none     the stored score, fraction and    microseconds since 1970
//	         all, as "1234.0157"
//
// Both are read wherever a submission comes from. Queues have version 1. The outbox has the
// form without a version, since earlier programs read no other there; that leaves out profile
// and fingerprint. A program ignores fields that later versions have added.
type submissionRecord struct {
	Version     int               `json:"v,omitempty"`
	Mode        string            `json:"m"`
	Date        string            `json:"d"`
	Player      string            `json:"p"`
	Score       string            `json:"s"`
	At          int64             `json:"t"` // when it was played
	Scopes      []string          `json:"c,omitempty"`
	Details     json.RawMessage   `json:"x,omitempty"`
	Profile     Profile           `json:"w,omitzero"`
	Idempotency idempotencyOnWire `json:"o,omitzero"`
	By          Credential        `json:"b,omitempty"` // in games with Credentials, as the next
	Queued      bool              `json:"q,omitempty"` // in the outbox
}

// submissionVersion is the newest version that this program knows.
const submissionVersion = 1

// ErrNoMode is returned for a submission to a mode that the game does not have, or no longer
// has.
var ErrNoMode = errors.New("the game has no mode")

// idempotencyOnWire is an object, or a text if only the ID is kept.
type idempotencyOnWire IdempotencyRecord

func (r idempotencyOnWire) MarshalJSON() ([]byte, error) {
	if r.Fingerprint == "" {
		return json.Marshal(r.ID)
	}
	return json.Marshal(idempotencyObject(r))
}

func (r *idempotencyOnWire) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		r.Fingerprint = ""
		return json.Unmarshal(text, &r.ID)
	}
	var o idempotencyObject
	err := json.Unmarshal(text, &o)
	*r = idempotencyOnWire(o)
	return err
}

type idempotencyObject struct {
	ID          string `json:"i"`
	Fingerprint string `json:"f"`
}

func recordOf(s Submission) submissionRecord {
	r := submissionRecord{Mode: s.Mode.Name, Date: s.Date.String(), Player: s.Player, Details: s.Details, By: s.By}
	for _, scope := range s.Scopes {
		r.Scopes = append(r.Scopes, scope.String())
	}
	return r
}

// EncodeSubmission is the record of a submission in a queue: version 1, in printable
// ASCII, since SQS takes no text with characters that XML 1.0 does not have.
func EncodeSubmission(s Submission) (string, error) {
	r := recordOf(s)
	r.Version, r.Score, r.At = submissionVersion, s.Mode.FormatScore(s.Score), s.At.UnixNano()
	r.Profile, r.Idempotency = s.Profile, idempotencyOnWire(s.Idempotency)
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("encode a submission: %w", err)
	}
	return ascii(text), nil
}

// EncodePosted is the record of some submissions in the outbox: a list in the form
// without a version.
func EncodePosted(g *Game, list []Submission) (string, error) {
	records := make([]submissionRecord, len(list))
	for i, s := range list {
		records[i] = recordOf(s)
		records[i].Score, records[i].At = FormatStored(s.Stored(g)), s.At.UnixMicro()
		records[i].Idempotency.ID = s.Idempotency.ID
		records[i].Queued = s.Queued && g.Credentials
	}
	text, err := json.Marshal(records)
	if err != nil {
		return "", fmt.Errorf("encode submissions: %w", err)
	}
	return string(text), nil
}

// DecodeSubmission reads one record, whatever its version, and its stored score. It checks
// only the form: see [Submission.Recheck].
//
// Errors: [ErrNoMode], and those of a record that no program has written.
func DecodeSubmission(g *Game, record []byte) (s Submission, stored float64, err error) {
	var r submissionRecord
	if err := json.Unmarshal(record, &r); err != nil {
		return s, 0, errors.New("it is not the JSON object that this version writes")
	}
	if r.Version != 0 && r.Version != submissionVersion {
		return s, 0, fmt.Errorf("its version is %d: this program reads version %d", r.Version, submissionVersion)
	}
	m, ok := g.Mode(r.Mode)
	if !ok {
		return s, 0, fmt.Errorf("%w %.40q", ErrNoMode, r.Mode)
	}
	s = Submission{Mode: m, Player: r.Player, Details: r.Details, Profile: r.Profile, Idempotency: IdempotencyRecord(r.Idempotency), By: r.By, Queued: r.Queued}
	if s.Date, err = ParseDate(r.Date); err != nil {
		return s, 0, err
	}
	for _, name := range r.Scopes {
		scope, err := ParseScope(name)
		if err != nil {
			return s, 0, err
		}
		s.Scopes = append(s.Scopes, scope)
	}
	if r.Version == 0 {
		s.At = time.UnixMicro(r.At).UTC()
		stored, err = strconv.ParseFloat(r.Score, 64)
		s.Score = m.Decode(stored)
		return s, stored, err
	}
	s.At = time.Unix(0, r.At).UTC()
	s.Score, err = ParseScaled(r.Score, m.Decimals)
	return s, s.Stored(g), err
}

// DecodePosted splits an entry of the outbox into the records of its submissions.
func DecodePosted(entry string) (records []json.RawMessage, err error) {
	return records, json.Unmarshal([]byte(entry), &records)
}

// ascii writes what is not ASCII in JSON text as \u and four digits.
func ascii(text []byte) string {
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case r < 0x7f:
			b.WriteByte(byte(r))
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}
