package webhook

import "time"

// Event is one of UserSaved, UserDeleted, MembershipSaved, MembershipEnded and
// Ignored.
type Event interface{ event() }

// UserSaved is the profile of a player as it stands since Moment (user.created,
// user.updated).
type UserSaved struct {
	// Player is the player's id.
	Player string
	// Name is first and last name, else the user name; one line of at most 80
	// runes, or empty.
	Name string
	// Picture is an absolute https URL of at most 512 bytes, or empty.
	Picture string
	// Country is public_metadata.country when that is an ISO 3166-1 alpha-2
	// code in upper case, or empty.
	Country string
	// Moment is when the profile was last changed, to the millisecond.
	Moment time.Time
}

// UserDeleted says that a player is to be erased (user.deleted). No other event, earlier or
// later, undoes that.
type UserDeleted struct {
	Player string
}

// MembershipSaved says that a player belongs to an organization, which is a
// group (organizationMembership.created, .updated).
type MembershipSaved struct {
	// ID is that of the membership. A player who leaves and joins again gets another.
	ID     string
	Player string
	Group  string
	// Moment is when the membership was last changed, to the millisecond.
	Moment time.Time
}

// MembershipEnded says that a player has left an organization
// (organizationMembership.deleted). It ends only the membership with that ID.
type MembershipEnded struct {
	ID     string
	Player string
	Group  string
	// Moment is when that happened, to the millisecond.
	Moment time.Time
}

// Ignored is any other event; it needs no action.
type Ignored struct {
	// Type is Clerk's name of the event, cut to 100 characters.
	Type string
}

func (UserSaved) event()       {}
func (UserDeleted) event()     {}
func (MembershipSaved) event() {}
func (MembershipEnded) event() {}
func (Ignored) event()         {}
