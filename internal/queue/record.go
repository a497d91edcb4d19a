package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
)

// version is that of the record's form. A message may be read by a newer or an
// older program than the one that wrote it.
const version = 1

// record is a submission that has passed every check which needs no Redis.
type record struct {
	Version int                `json:"v"`
	Mode    string             `json:"m"`
	Date    string             `json:"d"`
	Player  string             `json:"p"`
	Score   string             `json:"s"` // the true score, as the mode writes it
	At      int64              `json:"t"` // when it was played, in nanoseconds since 1970
	Scopes  []string           `json:"c,omitempty"`
	Details json.RawMessage    `json:"x,omitempty"`
	Profile game.Profile       `json:"w"`
	Once    *idempotencyRecord `json:"o,omitempty"`
}

type idempotencyRecord struct {
	ID          string `json:"i"`
	Fingerprint string `json:"f"`
}

// Encode is the body of a submission's message: JSON in printable ASCII, since
// SQS takes no text with characters that XML 1.0 does not have.
func Encode(sub board.Submission) (string, error) {
	r := record{
		Version: version, Mode: sub.Mode.Name, Date: sub.Date.String(), Player: sub.Player,
		Score: sub.Mode.FormatScore(sub.Score), At: sub.At.UnixNano(), Details: sub.Details, Profile: sub.Profile,
	}
	for _, scope := range sub.Scopes {
		r.Scopes = append(r.Scopes, scope.String())
	}
	if sub.Once != (board.IdempotencyRecord{}) {
		r.Once = &idempotencyRecord{sub.Once.ID, sub.Once.Fingerprint}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("encode a submission: %w", err)
	}
	return ascii(text), nil
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

// Decode reads a message's body and checks it against the game, whose modes and
// bounds may have changed since. Its date need not be open any more: it was when
// the score was played.
func Decode(g *game.Game, body string) (board.Submission, error) {
	sub, err := decode(g, body)
	if err != nil {
		return board.Submission{}, fmt.Errorf("read a queued submission: %w", err)
	}
	return sub, nil
}

func decode(g *game.Game, body string) (sub board.Submission, err error) {
	var r record
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		return sub, errors.New("it is not the JSON object that this version writes")
	}
	if r.Version != version {
		return sub, fmt.Errorf("its version is %d: this program reads version %d", r.Version, version)
	}
	m, ok := g.Mode(r.Mode)
	if !ok {
		return sub, fmt.Errorf("the game has no mode %.40q", r.Mode)
	}
	sub = board.Submission{Mode: m, Player: r.Player, At: time.Unix(0, r.At).UTC(), Profile: r.Profile}
	if err := game.ValidPlayer(r.Player); err != nil {
		return sub, err
	}
	if sub.Date, err = game.ParseDate(r.Date); err != nil {
		return sub, err
	}
	if sub.Score, err = m.ParseScore(r.Score); err != nil {
		return sub, err
	}
	if m.Details && len(r.Details) > 0 {
		sub.Details = r.Details
	}
	if sub.Scopes, err = scopes(m, r.Scopes); err != nil {
		return sub, err
	}
	if r.Once != nil {
		sub.Once = board.IdempotencyRecord{ID: r.Once.ID, Fingerprint: r.Once.Fingerprint}
	}
	if m.Policy == game.Sum && !validIdempotency(sub.Once) {
		return sub, fmt.Errorf("the mode %s adds up, and nothing says how to add this once", m.Name)
	}
	return sub, nil
}

// scopes reads scopes; those that the mode has no more are left out.
func scopes(m *game.Mode, names []string) ([]game.Scope, error) {
	var all []game.Scope
	for _, name := range names {
		scope, err := game.ParseScope(name)
		if err != nil {
			return nil, err
		}
		if m.HasScope(scope.Kind()) && !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return all, nil
}

// validIdempotency holds the words of an idempotency record against its form.
func validIdempotency(o board.IdempotencyRecord) bool {
	return o.ID != "" && o.Fingerprint != "" && !strings.ContainsAny(o.ID+o.Fingerprint, " \n{}")
}
