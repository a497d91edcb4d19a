package game

import "time"

// Types of what both Redis and an archive keep, and what packages above hand from one to the
// other.

// Act is who does something, and when. ID names the request: a request that is sent again
// leaves one row in the audit.
type Act struct {
	ID    string
	Actor string // the player, or what the operator goes by
	At    time.Time
}

// Ban keeps a player out. Unknown fields are empty.
type Ban struct {
	Player string    `json:"player,omitempty"` // a digest, if the player has been erased
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at,omitzero"`
	By     string    `json:"by,omitempty"`
}

// Claim is a device that a player has claimed.
type Claim struct {
	Device, Player string // digests, as in BanMember
	At             time.Time
	Days           map[string]string // mode:date -> what became of it
	DeviceID       string            // "": not known, as the archive alone knows it
}

// Membership is a player's membership of a group. Its id is a digest of Clerk's id.
type Membership struct{ ID, Player, Group string }

// Place is the place of an entry on a board, even if the entry is no longer there.
type Place struct {
	Stored float64
	Player string
}

// ScopedResult is a player's entry on the board of a scope.
type ScopedResult struct {
	Scope  Scope
	Stored float64
}

// Played are the dates on which a player has played any mode, ascending.
type Played struct {
	Player string
	Dates  []Date
}

// DuelStanding is what all duels of a player together have come to.
type DuelStanding struct {
	Player string
	Rating float64
	XP     int64

	// For ratings that decay: when the last duel was decided, the zero time if that is not
	// kept; and through which week the rating has had its losses.
	Last    time.Time
	Through int64
}

// DuelsBegun is how many of a player's duels had an opponent.
type DuelsBegun struct {
	Player string
	Duels  int64
}

// DuelsCarried is what a player has from duels that the archive does not have.
type DuelsCarried struct {
	Player string
	Rating *float64 // the rating that the other duels began with; nil: as they say
	XP     int64
	Begun  int64 // how many those duels were

	// Through is the last week whose loss the rating has had, if ratings decay.
	Through int64
}

// Achievement is what a player has won on the board of a week, month or season.
type Achievement struct {
	Kind      string    `json:"kind"` // champion, podium, top10 or top100
	Mode      string    `json:"mode"`
	Period    string    `json:"period"`     // week, month or season
	PeriodKey string    `json:"period_key"` // 2026-W47, 2026-11
	Scope     string    `json:"scope"`      // global is everybody
	Rank      int64     `json:"rank"`
	AwardedAt time.Time `json:"awarded_at"`
}

// HeldPlay is a play that an operator has to look at, as it is kept.
type HeldPlay struct {
	ID     string // its nonce
	Player string
	Mode   string
	Date   Date
	At     time.Time // when it was played
	Record string    // as the key "held" has it
}

// Spend is something that a player has spent a currency on.
type Spend struct {
	ID       string    `json:"id"`
	Player   string    `json:"-"`
	Currency string    `json:"currency"`
	Amount   int64     `json:"amount"`
	Item     string    `json:"item"` // what it was for, as the application calls it; empty: unknown
	At       time.Time `json:"at"`   // to the millisecond
}

// KeptDay is a group's day whose acts are kept outside of Redis.
type KeptDay struct {
	Group   string
	Date    Date
	Source  string // the Redis that the acts are from
	Version int64  // of what is kept; erasures change it too
}

// DayLines is what is kept of a group's day, as lines of a number and a text: acts with their
// moments in Unix milliseconds, and players with the streak that the day is in.
type DayLines struct{ Acts, Streaks []string }
