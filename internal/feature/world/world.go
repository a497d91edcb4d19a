// Package world merges the boards of several deployments of one game, called sites, into
// boards of the world. Each site keeps its own boards of the world: there is no central place
// that all depend on. Each site publishes the tops of its own boards under stamps that only
// grow, copies what the others have published with credentials that may only read, and unites
// these copies with its own tops.
//
// The top of the union is exact: if a player is in no site's top, then some site alone has as
// many better players as the world's board has places.
//
// The package does not know HTTP, the caller, or when it runs.
package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/upstash"
)

var (
	// ErrSilent says that a site has not published anything yet.
	ErrSilent = errors.New("it has not published anything yet")
	// ErrOlder says that a site answers an older state than before, or a state whose tops are
	// not complete: it may be a lagging replica or a backup. The present copies stay.
	ErrOlder = errors.New("it returns an older state than before")
	// ErrRules says that a site has published under other rules, or more entries than the own
	// game takes: its scores do not compare.
	ErrRules = errors.New("it has other rules, so its scores are not comparable")
	// ErrAhead says that a site's clock is further ahead than clocks may differ.
	ErrAhead = errors.New("its clock is ahead")
)

// Merge is one site's part in merging. It and several runs at once are safe for concurrent
// use.
type Merge struct {
	Boards *leaderboard.Store
	Name   string // of this site
	Others []Other
}

// Other is another site, with a client that may read its Redis.
type Other struct {
	Name  string
	Redis *upstash.Client
}

// MostSites is the largest number of sites, including the own one.
const MostSites = 8

const (
	// oldTop is how long a published top outlives its successor, for readers that have read
	// its stamp but not yet its entries.
	oldTop = 10 * time.Minute
	// mostAhead is how far the clocks of sites may differ.
	mostAhead = 10 * time.Minute
	// Down is how long after its last sign of life a site counts as down: three merges and a
	// little.
	Down = 16 * time.Minute
)

// State is what a site publishes about one of its boards.
type State struct {
	Stamp   int64     `json:"stamp"`          // Unix milliseconds of the publication, later than any earlier one
	Rules   string    `json:"rules"`          // identifies what scores meant then
	Players int64     `json:"players"`        // on the whole board
	Top     int64     `json:"top"`            // number of published entries
	Digest  string    `json:"digest"`         // of these entries and Players
	Cuts    []float64 `json:"cuts,omitempty"` // see cuts
	CutAt   int64     `json:"cut,omitempty"`  // when the cuts below the top were read
}

// copied is the record of a copy of another site's board.
type copied struct {
	State
	Named int64 `json:"named"` // when names were read
}

// parse reads JSON; an empty text is the zero value.
func parse[T any](what, text string) (v T, err error) {
	if text == "" {
		return v, nil
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return v, fmt.Errorf("read %s: %w", what, err)
	}
	return v, nil
}

func textOf(v any) string {
	text, _ := json.Marshal(v) // numbers and strings alone
	return string(text)
}

// cutsOf is the number of equal parts into which the cuts divide a board.
const cutsOf = 20

// cutPositions are the positions on a board whose stored scores are its cuts: the first, the
// last, and those that divide the rest evenly.
func cutPositions(players int64) []int64 {
	if players == 0 {
		return nil
	}
	at := make([]int64, cutsOf+1)
	for i := range at {
		at[i] = int64(i) * (players - 1) / cutsOf
	}
	return at
}

// better estimates by the cuts how many of a site's players are better than a stored score. It
// is off by one part at most, when all players of that part are on one side, plus changes
// since the cuts were read.
func (s State) better(order game.Order, stored float64) int64 {
	if len(s.Cuts) == 0 {
		return 0
	}
	worse := func(a, b float64) bool { return a < b == (order == game.Desc) && a != b }
	i := slices.IndexFunc(s.Cuts, func(cut float64) bool { return !worse(stored, cut) })
	switch i {
	case -1:
		return s.Players
	case 0:
		return 0
	}
	from, to := s.Cuts[i-1], s.Cuts[i]
	part := float64(i - 1)
	if from != to {
		part += (from - stored) / (from - to)
	}
	return int64(part / float64(len(s.Cuts)-1) * float64(s.Players))
}

// boardSources is what a board of the world was made of.
type boardSources struct {
	Own    *State           `json:"own,omitempty"`
	Copies map[string]State `json:"copies,omitempty"`
}

// same reports whether both were made of the same publications.
func (m boardSources) same(other boardSources) bool {
	stamp := func(s *State) int64 {
		if s == nil {
			return 0
		}
		return s.Stamp
	}
	if stamp(m.Own) != stamp(other.Own) || len(m.Copies) != len(other.Copies) {
		return false
	}
	for name, s := range m.Copies {
		if o, ok := other.Copies[name]; !ok || o.Stamp != s.Stamp {
			return false
		}
	}
	return true
}

// siteState is what the site knows of another site.
type siteState struct {
	Own     bool   `json:"own,omitempty"`
	Looked  int64  `json:"looked,omitempty"`  // Unix milliseconds of when the site last looked at its boards
	Problem string `json:"problem,omitempty"` // of the last merge
}
