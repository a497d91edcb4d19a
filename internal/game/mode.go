package game

import (
	"cmp"
	"strconv"
	"time"
)

// Policy says which of a player's scores of one day counts.
type Policy string

// Order says whether high or low scores lead.
type Order string

// TieStyle says how equal scores are ranked.
type TieStyle string

// Aggregate says how a week, a month and all time combine a player's days.
type Aggregate string

// The policies, together with [Sum].
const (
	First  Policy = "first"  // the first play counts, later ones are kept out
	Best   Policy = "best"   // the best play counts
	Latest Policy = "latest" // the newest play counts
)

// The aggregates, together with [Sum].
const (
	Max  Aggregate = "max"  // the highest day
	Min  Aggregate = "min"  // the lowest day
	Last Aggregate = "last" // the newest day played
)

// Sum is a policy (a day adds up its plays) and an aggregate (a period adds
// up its days), and untyped so that it is both.
const Sum = "sum"

// The orders.
const (
	Desc Order = "desc" // the highest score leads
	Asc  Order = "asc"  // the lowest score leads
)

// The tie styles.
const (
	Earliest TieStyle = "earliest" // who got there first leads; ranks are distinct
	Shared   TieStyle = "shared"   // standard competition ranks: 1, 2, 2, 4
)

// Mode is one kind of play with boards of its own. Modes of a [Game] that [New] made are
// complete, and their rules go together.
type Mode struct {
	// Name is what keys and rows are made of; see ValidMode. A mode that is renamed
	// keeps it, and callers know it by Renamed.
	Name    string
	Renamed string            // empty: never
	Title   string            // for people, 1 to 100 bytes
	Titles  map[string]string // by language, such as pt-BR; nil: Title is for all
	Policy  Policy
	Order   Order
	Ties    TieStyle

	// Min and Max bound one submission, DayMin and DayMax what a day's board
	// may hold for one player. They differ only if the policy is sum. All
	// are scaled: with 2 decimals, 12.34 is 1234.
	Min, Max       Score
	DayMin, DayMax Score
	Decimals       int // places of a score, 0 to 6

	// Values are what the mode ranks by if that is more than one number; the first value
	// decides first. The mode's scores are their packed form, whose bounds New gives the mode:
	// 0 to Max, with no decimals. Empty: one number.
	Values []Value

	Aggregate     Aggregate
	Scopes        []ScopeKind  // besides global
	Levels        int          // plays may name one of so many levels, each with boards of its own; 0: none
	Rolling       bool         // boards of the last 7 and 30 days are kept
	Bands         *BandsRule   // the board of all time is kept in bands when it is large; nil: never
	Decay         *DecayRule   // older days count less on the board of all time; nil: they do not
	Ratings       *RatingDecay // the mode's scores are ratings that decay by this rule; nil: they are not
	Teams         TeamRule     // how groups are ranked against each other
	Details       bool         // opaque details of a play are kept
	Authoritative bool         // takes scores from game servers only
	XP            XPRule       // what a day gives

	// NeedsPlay asks that a player's score comes with a play that was handed out before.
	NeedsPlay bool
	Proof     string // the proof that the values follow from; empty: the players send the values
	Challenge ChallengeRule

	fractionBits int           // bits of a tie fraction, see encoding.go
	resolution   time.Duration // what one tick lasts
}

// Called is what callers know the mode by.
func (m *Mode) Called() string { return cmp.Or(m.Renamed, m.Name) }

// HasScope reports whether the mode keeps boards of that kind.
func (m *Mode) HasScope(k ScopeKind) bool {
	switch k {
	case Global:
		return true
	case Teams:
		return m.Teams != TeamRule{}
	case Level:
		return m.Levels > 0
	}
	for _, has := range m.Scopes {
		if has == k {
			return true
		}
	}
	return false
}

// WritesScopes reports whether plays may be written to boards other than the day's own.
func WritesScopes(m *Mode) bool { return m.HasScope(Group) || m.HasScope(Level) }

// Keeps reports whether the mode keeps boards of a scope.
func Keeps(m *Mode, s Scope) bool {
	if s.kind == Level {
		n, err := strconv.Atoi(s.id)
		return err == nil && n <= m.Levels
	}
	return m.HasScope(s.kind)
}

// DefaultAggregate is how periods combine days if a game does not say: sum with the
// policies first, latest and sum; with best the better end of the board, max for desc and min
// for asc.
func DefaultAggregate(p Policy, o Order) Aggregate {
	switch {
	case p != Best:
		return Sum
	case o == Asc:
		return Min
	}
	return Max
}
