package board

import (
	"context"
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// cursor names the last entry of a page: where the next one goes on. It holds
// the entry itself, not only its position, so that a page after it neither
// repeats nor skips a player who did not move, whoever came in above.
type cursor struct {
	board  string
	stored float64
	passed int64 // how many positions were passed when the page was read
	player string
}

func (c cursor) String() string {
	text := strings.Join([]string{c.board, game.FormatStored(c.stored), itoa(c.passed), c.player}, " ")
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func parseCursor(text string) (cursor, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		return cursor{}, ErrCursor
	}
	fields := strings.Split(string(raw), " ")
	if len(fields) != 4 || game.ValidPlayer(fields[3]) != nil {
		return cursor{}, ErrCursor
	}
	stored, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || math.IsNaN(stored) || math.IsInf(stored, 0) {
		return cursor{}, ErrCursor
	}
	passed, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || passed < 1 || passed > math.MaxInt64/2 {
		return cursor{}, ErrCursor
	}
	return cursor{fields[0], stored, passed, fields[3]}, nil
}

// CheckCursor tells whether the cursor belongs to the board, without asking Redis.
func (s *Store) CheckCursor(b Board, text string) error {
	c, err := parseCursor(text)
	if err != nil || c.board != b.Key {
		return ErrCursor
	}
	return nil
}

// pageAfter reads the entries after the cursor's. Usually the last entry still
// stands where it stood, or near, and one range around that place holds it and
// the whole next page.
func (s *Store) pageAfter(ctx context.Context, b Board, r PageRequest) (Page, error) {
	c, err := parseCursor(r.Cursor)
	if err != nil || c.board != b.Key {
		return Page{}, ErrCursor
	}
	if err := s.refresh(ctx, b); err != nil {
		return Page{}, err
	}
	page := s.newPage(b)
	first := max(0, c.passed-1-slack)
	var around []Entry
	var p pipeline
	p.add(b.rangeCommand(first, c.passed-1+slack+r.Limit), entriesInto(b, &around))
	s.askTotal(&p, b, &page.Total)
	if _, err := p.run(ctx, s.redis); err != nil {
		return Page{}, wrap("read the next page", err)
	}
	at := -1
	for i, e := range around {
		if e.Player == c.player && e.stored == c.stored {
			at = i
			break
		}
	}
	full := int64(len(around)) == c.passed-first+slack+r.Limit
	if at < 0 || full && int64(len(around)-at-1) <= r.Limit {
		if around, first, err = s.seek(ctx, b, c, r.Limit); err != nil {
			return Page{}, err
		}
		at = -1
	}
	page.position = first + int64(at) + 1
	page.Entries = around[at+1:]
	page.Total = max(page.Total, page.position+int64(len(page.Entries)))
	page.cut(r.Limit)
	if err := s.rank(ctx, b, page.Entries, page.position); err != nil {
		return Page{}, err
	}
	if err := s.name(ctx, page.Entries, true); err != nil {
		return Page{}, err
	}
	return page.withNext(), nil
}

// seek finds the place of a cursor whose entry has moved away or out of sight:
// first behind every better stored score, then on through the equal ones,
// which stand in the order of their names.
func (s *Store) seek(ctx context.Context, b Board, c cursor, limit int64) (entries []Entry, position int64, err error) {
	score := game.FormatStored(c.stored)
	ahead := upstash.Cmd("ZCOUNT", b.Key, "("+score, "+inf")
	if b.Mode.Order == game.Asc {
		ahead = upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+score)
	}
	var p pipeline
	p.add(ahead, intInto(&position))
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, 0, wrap("find the cursor's place", err)
	}
	for {
		entries = nil
		var p pipeline
		p.add(b.rangeCommand(position, position+limit+slack-1), entriesInto(b, &entries))
		if _, err := p.run(ctx, s.redis); err != nil {
			return nil, 0, wrap("read after the cursor", err)
		}
		passed := 0
		for passed < len(entries) && c.notBefore(b, entries[passed]) {
			passed++
		}
		position += int64(passed)
		if int64(len(entries)-passed) > limit || int64(len(entries)) < limit+slack {
			return entries[passed:], position, nil
		}
	}
}

// notBefore tells whether the entry stands at the cursor's place or above it.
func (c cursor) notBefore(b Board, e Entry) bool {
	if e.stored != c.stored {
		return (e.stored < c.stored) == (b.Mode.Order == game.Asc)
	}
	if b.Mode.Order == game.Asc {
		return e.Player <= c.player
	}
	return e.Player >= c.player
}
