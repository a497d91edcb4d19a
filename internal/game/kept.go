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
