// Package world merges one board of several deployments, here called sites, into a
// board of the world that each site keeps for itself: there is no place in the middle
// that all depend on. Each site publishes the top of its own board under a stamp that
// only grows, reads the others' with credentials that may only read, keeps what it read
// last of each, and unites these copies with its own.
//
// It knows keys, orders and stamps. It must not know players, periods or HTTP.
//
// The top of the union is exact: who is in none of the tops has at its site as many
// better players as the world's board has places.
package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

var (
	// ErrUnpublished says that a site has never published the board.
	ErrUnpublished = errors.New("the site has not published this board")
	// ErrOlder says that a site answered with an older state than was read before, or
	// with one whose top is not there in full: a replica that lags, or a backup. The
	// copy that is there stays.
	ErrOlder = errors.New("the site answers an older state than its copy")
	// ErrRules says that a site has published by other rules, or more entries than the
	// own game takes, so its scores do not compare.
	ErrRules = errors.New("the site has other rules for this board")
)

// oldTop is how long a published top outlives the one that replaced it, for those who
// have read its stamp and not yet its entries.
const oldTop = 10 * time.Minute

// Board is a board that sites merge.
type Board struct {
	Key   string     // of the site's own board
	Order game.Order // who stands at several sites stands with the better score
	Top   int64      // how many entries of each site are published, and the world's has
	Rules string     // names what scores mean; sites with another are refused
}

// State is what a site says of its board.
type State struct {
	Stamp   int64  `json:"stamp"`   // Unix milliseconds of the publication, later than any before it
	Rules   string `json:"rules"`   // of the site's board then
	Players int64  `json:"players"` // on the whole board
	Top     int64  `json:"top"`     // entries that are published
	Digest  string `json:"digest"`  // of these entries and Players
}

// At is when the state was published.
func (s State) At() time.Time { return time.UnixMilli(s.Stamp) }

// Site is one deployment's part in the merge. It is safe for concurrent use.
type Site struct {
	db *rdb.DB
}

// New makes the part of the site whose database it is.
func New(db *rdb.DB) *Site { return &Site{db} }

// stateKey is the State of a site's own board, as JSON.
func stateKey(board string) string { return "world:state:" + board }

// topKey is a published top. It never changes: each publication has its own.
func topKey(board string, stamp int64) string {
	return "world:top:" + strconv.FormatInt(stamp, 10) + ":" + board
}

// copiesKey is a hash: the State of each site's copy by its name, and under made what
// the world's board was made of.
func copiesKey(board string) string { return "world:copies:" + board }

// copyKey is the top of another site, as it was read last.
func copyKey(board, site string) string { return "world:copy:" + site + ":" + board }

// World is the key of the world's board.
func (b Board) World() string { return "world:" + b.Key }

// made is the field of copiesKey that no site's name can be.
const made = ":made"

func parse(text string) (s State, err error) {
	if text == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("read a site's state: %w", err)
	}
	return s, nil
}

func (s State) text() string {
	text, _ := json.Marshal(s) // numbers and strings alone
	return string(text)
}

// Own is what the site itself has published of its board; the zero State says that it
// has not. Cost: 1 billed command.
func (s *Site) Own(ctx context.Context, b Board) (State, error) { return readState(ctx, s.db.Redis, b) }

// Copies are the states of the other sites' copies by name, and when each was published.
//
// Cost: 1 billed command.
func (s *Site) Copies(ctx context.Context, b Board) (map[string]State, error) {
	fields, err := s.copies(ctx, b)
	if err != nil {
		return nil, err
	}
	states := map[string]State{}
	for name, text := range fields {
		if name == made {
			continue
		}
		if states[name], err = parse(text); err != nil {
			return nil, fmt.Errorf("copy of %s: %w", name, err)
		}
	}
	return states, nil
}

func (s *Site) copies(ctx context.Context, b Board) (fields map[string]string, err error) {
	var p rdb.Pipeline
	p.Add(upstash.Cmd("HGETALL", copiesKey(b.Key)), rdb.FieldsInto(func(f map[string]string) error {
		fields = f
		return nil
	}))
	_, err = p.Run(ctx, s.db.Redis)
	return fields, rdb.Wrap("read the copies of "+b.Key, err)
}

// Unite makes the world's board of the own top and the copies, in one step that no
// reader sees the half of. It reports whether anything was to do. Runs at once are
// right: each unites what is there when it does, and copies only become newer. The own
// board has to be published first.
//
// Cost: 2 billed commands where nothing has changed, 7 otherwise.
//
// Errors: ErrUnpublished and ErrRules, of the own site.
func (s *Site) Unite(ctx context.Context, b Board) (bool, error) {
	own, err := readState(ctx, s.db.Redis, b)
	if err != nil {
		return false, err
	}
	switch {
	case own.Stamp == 0:
		return false, ErrUnpublished
	case own.Rules != b.Rules:
		return false, ErrRules
	}
	fields, err := s.copies(ctx, b)
	if err != nil {
		return false, err
	}
	of, keys := []string{}, []string{topKey(b.Key, own.Stamp)}
	for name, text := range fields {
		if name == made {
			continue
		}
		st, err := parse(text)
		if err != nil {
			return false, fmt.Errorf("copy of %s: %w", name, err)
		}
		if st.Rules != b.Rules {
			continue
		}
		keys = append(keys, copyKey(b.Key, name))
		of = append(of, name+"="+strconv.FormatInt(st.Stamp, 10))
	}
	slices.Sort(of)
	from := b.Rules + " " + strconv.FormatInt(own.Stamp, 10) + " " + strings.Join(of, " ")
	if fields[made] == from {
		return false, nil
	}
	better, first, last := "MAX", "0", rdb.Itoa(-b.Top-1)
	if b.Order == game.Asc {
		better, first, last = "MIN", rdb.Itoa(b.Top), "-1"
	}
	union := append([]string{"ZUNIONSTORE", b.World(), strconv.Itoa(len(keys))}, keys...)
	p := rdb.Pipeline{Atomic: true}
	p.Add(upstash.Cmd(append(union, "AGGREGATE", better)...).Idempotent(), nil)
	p.Add(upstash.Cmd("ZREMRANGEBYRANK", b.World(), first, last).Idempotent(), nil)
	p.Add(upstash.Cmd("HSET", copiesKey(b.Key), made, from).Idempotent(), nil)
	_, err = p.Run(ctx, s.db.Redis)
	return err == nil, rdb.Wrap("unite "+b.Key, err)
}
