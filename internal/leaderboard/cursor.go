package leaderboard

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
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

// open is read for a request that may have no cursor: nil if the text is empty. Errors: ErrCursor.
func (keys cursors) open(b game.Board, text string) (*cursor, error) {
	if text == "" {
		return nil, nil
	}
	c, err := keys.read(b, text)
	return &c, err
}

// CheckCursor reports whether the cursor belongs to the board, without asking
// Redis. Errors: ErrCursor.
func (s *Store) CheckCursor(b game.Board, text string) error {
	_, err := s.cursors.read(b, text)
	return err
}

// CursorPlace is the place after which a cursor continues. Errors: ErrCursor.
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

// withNext gives the page its cursor if the board has entries after it.
func (keys cursors) withNext(page game.Page) game.Page {
	page.Next = ""
	if page.More && len(page.Entries) > 0 {
		page.Next = keys.after(page)
	}
	return page
}

// How many entries a page after a cursor reads around the place that the last entry had: few at
// first, since as a rule few players have come in above meanwhile; then as many as one command
// may reasonably return, at some 60 bytes an entry.
const (
	nearAbove = 25
	nearBelow = 75
	far       = 5000 // through entries that tie with the cursor's
	joined    = 1000 // how many entries that tie may have come in since they were counted
)

// maxCommands is the most commands that the request for a page spends, whatever the cursor,
// besides the refresh of a derived board.
const maxCommands = 4

// found is the run of entries behind a cursor, and those right before it.
type found struct {
	before, run []game.Entry
	position    int64 // of the run, zero-based
	commands    int64 // spent on it
	tieRank     int64 // the rank of all entries that tie with the cursor's; 0: unknown
}

// readAfter reads the entries after the cursor's, and the total.
func (s pages) readAfter(ctx context.Context, c cursor, limit int64, page *game.Page) error {
	b := page.Board
	f, err := s.find(ctx, b, c, limit)
	if err != nil {
		return err
	}
	page.Entries, page.Before, page.Position = f.run, f.before, f.position
	page.Cut(limit)
	if len(page.Entries) > 0 && c.ties(b, page.Entries[0]) {
		page.Tied, page.TieRank = c.tied+1, f.tieRank
	}
	return s.count(ctx, c, f, page)
}

// count sets the page's total. If the page ends the board, that is where it ends; else it is
// the remembered total if that is fresh; else, if the first range had the place, a new count
// for one command; else the last total that the process or the cursor knows.
func (s pages) count(ctx context.Context, c cursor, f found, page *game.Page) error {
	b := page.Board
	end := page.Position + int64(len(page.Entries))
	switch players, fresh := s.totals.Fresh(b.Key); {
	case !page.More && len(page.Entries) > 0:
		page.Total = end // the board ends here
		s.totals.Set(b.Key, end)
		return nil
	case fresh:
		page.Total = players
	case f.commands == 1:
		var p redis.Pipeline
		s.totals.Ask(&p, b.Key, &page.Total)
		if _, err := p.Run(ctx, s.db.Redis); err != nil {
			return err
		}
	default:
		page.Total = c.total
		if players, known := s.totals.Last(b.Key); known {
			page.Total = players
		}
	}
	page.Total = max(page.Total, end)
	if page.More {
		page.Total = max(page.Total, end+1)
	}
	return nil
}

// find reads the run behind the cursor. It reads one range around the place where the cursor's
// entry stood. The order of that range shows where the place is now, even if the entry has left
// the board, and mostly the range has the run. If not, the range shows in which direction the
// place has moved. If the entries at that end of the range tie with the cursor's, the next
// range continues through them; else find counts the better entries.
//
// Cost: 1 billed command, and up to 3, each in a round trip of its own; up to 2 if the rank may
// need another one. Errors: ErrCursorLost if too many entries that tie have come in or left
// before the place.
func (s pages) find(ctx context.Context, b game.Board, c cursor, limit int64) (found, error) {
	most := int64(maxCommands - 1) // the last one is for names
	if b.Mode.Ties == game.Shared {
		most--
	}
	var commands, tieRank int64
	next := span{c.passed - 1 - nearAbove, c.passed - 1 + nearBelow + limit}
	for {
		at, f, err := s.look(ctx, b, c, next, limit)
		commands++
		if f.commands, f.tieRank = commands, tieRank; err != nil || at == placed {
			return f, err
		}
		if commands >= most {
			return found{}, ErrCursorLost
		}
		switch last := len(f.before) - 1; {
		case at == within: // the run continues beyond the range
			next = span{f.position - nearAbove, f.position + nearBelow + limit}
		case at == below && c.ties(b, f.before[last]):
			next = span{f.position - nearAbove, f.position + far + limit}
		case at == above && len(f.run) > 0 && c.ties(b, f.run[0]):
			next = span{f.position - far, f.position + nearBelow + limit}
		case commands > 1:
			return found{}, ErrCursorLost
		default:
			ahead, err := s.ahead(ctx, b, c)
			if err != nil {
				return found{}, err
			}
			next = span{ahead + max(0, c.tied-far) - nearAbove, ahead + c.tied + joined + limit}
			commands, most = commands+1, maxCommands-1
			if b.Mode.Ties == game.Shared {
				tieRank = ahead + 1
			}
		}
	}
}

// ahead counts the entries that are better than those that tie with the cursor's.
func (s pages) ahead(ctx context.Context, b game.Board, c cursor) (n int64, err error) {
	score := game.FormatStored(c.stored)
	command := upstash.Cmd("ZCOUNT", b.Key, "("+score, "+inf")
	switch {
	case b.Mode.Ties == game.Shared:
		command = redis.AheadCommand(b, b.Mode.Decode(c.stored))
	case b.Mode.Order == game.Asc:
		command = upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+score)
	}
	err = s.db.Ask(ctx, command, redis.IntInto(&n))
	return n, err
}

// span is a run of positions, zero-based and inclusive.
type span struct{ first, last int64 }

// whereabouts is what a range shows of a cursor's place.
type whereabouts int

const (
	placed whereabouts = iota // it is in the range, and so is the run behind it
	within                    // it is in the range, but the run continues beyond it
	above                     // it is before the range
	below                     // it is behind the range
)

// look reads a range of positions and splits it at the cursor's place.
func (s pages) look(ctx context.Context, b game.Board, c cursor, at span, limit int64) (whereabouts, found, error) {
	at.first = max(0, at.first)
	var entries []game.Entry
	if err := s.db.Ask(ctx, redis.RangeCommand(b, at.first, at.last), redis.EntriesInto(b, &entries)); err != nil {
		return 0, found{}, err
	}
	n := 0
	for n < len(entries) && c.notBefore(b, entries[n]) {
		n++
	}
	f := found{before: entries[:n], run: entries[n:], position: at.first + int64(n)}
	ends := int64(len(entries)) <= at.last-at.first // the range ends with the board
	switch {
	case n == 0 && at.first > 0:
		return above, f, nil
	case ends || int64(len(f.run)) > limit:
		return placed, f, nil
	case len(f.run) == 0:
		return below, f, nil
	}
	return within, f, nil
}

// notBefore reports whether the entry is at the cursor's place or above it.
func (c cursor) notBefore(b game.Board, e game.Entry) bool {
	if e.Stored != c.stored {
		return (e.Stored < c.stored) == (b.Mode.Order == game.Asc)
	}
	if b.Mode.Order == game.Asc {
		return e.Player <= c.player
	}
	return e.Player >= c.player
}

// ties reports whether an entry ties with the cursor's entry: by the true score if ranks are
// shared, else by the stored score. Two entries rarely have one stored score, except on boards
// of totals.
func (c cursor) ties(b game.Board, e game.Entry) bool {
	if b.Mode.Ties == game.Shared {
		return e.Score == b.Mode.Decode(c.stored)
	}
	return e.Stored == c.stored
}
