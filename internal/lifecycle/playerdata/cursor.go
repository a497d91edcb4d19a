package playerdata

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// cursorLife is how long an export may go on.
const cursorLife = time.Hour

// places are where each list continues after a page; a nil place means that its list has ended.
// The days that were read from Redis are part of the cursor: the archive may have taken them
// in by the time of a later page.
type places struct {
	Issued       time.Time         `json:"at"`
	Results      *Day              `json:"r,omitempty"`
	Live         []Day             `json:"l,omitempty"`
	Submissions  *SubmissionPlace  `json:"s,omitempty"`
	Lists        []place           `json:"f,omitempty"` // of features
	Achievements *game.Achievement `json:"a,omitempty"`
	Acts         *Act              `json:"u,omitempty"`
}

func (p places) ended() bool { return !p.more() && p.Acts == nil }

// more reports whether any list except the audit continues.
func (p places) more() bool {
	return p.Results != nil || p.Submissions != nil || len(p.Lists) > 0 || p.Achievements != nil
}

// sealBytes is the length of a cursor's seal. A cursor is sealed because further pages do not
// count among a player's exports: only a player who was given the previous page may ask for
// the next, and only for an hour.
const sealBytes = 16

func (s *Service) seal(player string, text []byte) []byte {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte(player)) // an id has no NUL
	mac.Write([]byte{0})
	mac.Write(text)
	return mac.Sum(nil)[:sealBytes]
}

// cursor returns where a page of the player's document ended; nil for the last page.
func (s *Service) cursor(player string, p places) (*string, error) {
	if p.ended() {
		return nil, nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	sealed := base64.RawURLEncoding.EncodeToString(append(s.seal(player, text), text...))
	return &sealed, nil
}

// open reads a cursor of the player's. Errors: ErrCursor.
func (s *Service) open(player, cursor string) (places, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < sealBytes || !hmac.Equal(raw[:sealBytes], s.seal(player, raw[sealBytes:])) {
		return places{}, ErrCursor
	}
	var p places
	// A list that this version does not know would be left out without a word: of a cursor from
	// before an upgrade.
	d := json.NewDecoder(bytes.NewReader(raw[sealBytes:]))
	d.DisallowUnknownFields()
	if d.Decode(&p) != nil || s.Now().Sub(p.Issued) > cursorLife {
		return places{}, ErrCursor
	}
	return p, nil
}

// PlainCursor writes a place in a list of the operator's. It is not sealed: the operator
// may see all of it.
func PlainCursor(place any) *string {
	text, _ := json.Marshal(place) // texts, numbers and times always marshal
	cursor := base64.RawURLEncoding.EncodeToString(text)
	return &cursor
}

// OpenPlain is the inverse of PlainCursor. Errors: ErrCursor.
func OpenPlain(cursor string, place any) error {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || json.Unmarshal(text, place) != nil {
		return ErrCursor
	}
	return nil
}
