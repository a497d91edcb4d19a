package leaderboard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

// cursor names the last entry of a page, after which the next page begins. It holds the entry
// itself, not only its position. So the next page neither repeats nor skips a player who did
// not move, even if others have come in above meanwhile.
type cursor struct {
	stored float64
	player string
	passed int64 // how many entries come up to this one, itself included, when the page was read
	tied   int64 // entries before it that tie with it, as far as was seen
	total  int64 // players on the board when the page was read
}

// A cursor in a URL is a version, a seal of sealBytes, and the place. The seal is an HMAC of
// the version, the board's key and the place, so that nobody can name a place at which no page
// has ended, or use the cursor of one board on another.
const (
	cursorVersion = 1
	sealBytes     = 16
)

// cursors are the keys of cursors: the first one seals, and each of them opens, so that keys
// can be rotated.
type cursors [][]byte

func seal(key []byte, b game.Board, place []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte{cursorVersion})
	mac.Write([]byte(b.Key)) // a key has no NUL
	mac.Write([]byte{0})
	mac.Write(place)
	return mac.Sum(nil)[:sealBytes]
}

func (keys cursors) write(b game.Board, c cursor) string {
	place := binary.BigEndian.AppendUint64(nil, math.Float64bits(c.stored))
	for _, n := range []int64{c.passed, c.tied, c.total} {
		place = binary.AppendUvarint(place, uint64(n))
	}
	place = append(place, c.player...)
	sealed := append([]byte{cursorVersion}, seal(keys[0], b, place)...)
	return base64.RawURLEncoding.EncodeToString(append(sealed, place...))
}

// read opens a cursor of the board. Errors: ErrCursor.
func (keys cursors) read(b game.Board, text string) (cursor, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") || len(raw) < 1+sealBytes+8 || raw[0] != cursorVersion {
		return cursor{}, ErrCursor
	}
	place := raw[1+sealBytes:]
	sealed := func(key []byte) bool { return hmac.Equal(raw[1:1+sealBytes], seal(key, b, place)) }
	if !slices.ContainsFunc(keys, sealed) {
		return cursor{}, ErrCursor
	}
	c := cursor{stored: math.Float64frombits(binary.BigEndian.Uint64(place))}
	place = place[8:]
	for _, n := range []*int64{&c.passed, &c.tied, &c.total} {
		value, size := binary.Uvarint(place)
		if size <= 0 || value > math.MaxInt64/2 {
			return cursor{}, ErrCursor
		}
		*n, place = int64(value), place[size:]
	}
	c.player = string(place)
	return c, nil
}

// CheckCursor reports whether the cursor belongs to the board, without asking
// Redis. Errors: ErrCursor.
func (s *Store) CheckCursor(b game.Board, text string) error {
	_, err := s.cursors.read(b, text)
	return err
}

// CursorPlace is the place after which a cursor goes on. Errors: ErrCursor.
func (s *Store) CursorPlace(b game.Board, text string) (game.Place, error) {
	c, err := s.cursors.read(b, text)
	return game.Place{Stored: c.stored, Player: c.player}, err
}

// after makes the cursor of the page that follows this one.
func (keys cursors) after(page game.Page) string {
	n := int64(len(page.Entries))
	last := page.Entries[n-1]
	c := cursor{stored: last.Stored, player: last.Player, passed: page.Position + n, total: page.Total}
	if page.Board.Mode.Ties == game.Shared {
		c.tied = c.passed - last.Rank
		return keys.write(page.Board, c)
	}
	for c.tied < n-1 && page.Entries[n-2-c.tied].Stored == last.Stored {
		c.tied++
	}
	switch {
	case c.tied < n-1:
	case page.Tied > 0:
		c.tied += page.Tied
	default: // all entries of the page tie, and so may all before it
		c.tied = min(c.passed-1, far)
	}
	return keys.write(page.Board, c)
}

// withNext gives the page its cursor if the board goes on after it.
func (keys cursors) withNext(page game.Page) game.Page {
	page.Next = ""
	if page.More && len(page.Entries) > 0 {
		page.Next = keys.after(page)
	}
	return page
}
