package friend

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"
)

// Limits of one player. The graph keeps them even with concurrent calls.
const (
	MostFriends  = 500
	MostAsked    = 500 // requests that wait for an answer
	MostBlocked  = 500
	MostInvites  = 20  // valid ones; a further one ends the oldest
	MostReceived = 500 // requests that are shown, newest first
)

// ErrBlocked says that two players must not meet, without saying who blocks whom.
var ErrBlocked = errors.New("not allowed between these players")

// Action is what a player does about another one.
type Action string

// The actions. Each may be repeated; all but Ask and Accept always succeed.
const (
	Ask     Action = "ask"     // to be friends; if the other has asked, both become friends
	Accept  Action = "accept"  // the other's request
	Drop    Action = "drop"    // withdraw one's own request, or decline the other's
	Remove  Action = "remove"  // end the friendship
	Block   Action = "block"   // neither can see or meet the other through friends any more
	Unblock Action = "unblock" // without becoming friends again
)

// Outcome is the result of an action.
type Outcome string

// The outcomes.
const (
	Done        Outcome = "done"
	Same        Outcome = "same"         // nothing has changed
	Asked       Outcome = "asked"        // the other has to accept
	Friends     Outcome = "friends"      // they are, now or already
	None        Outcome = "none"         // there is no such request, or no such invite
	Blocking    Outcome = "blocking"     // the player blocks the other
	FullMe      Outcome = "full-me"      // the player has MostFriends
	FullOther   Outcome = "full-other"   // the other player has
	FullAsked   Outcome = "full-asked"   // MostAsked requests wait
	FullBlocked Outcome = "full-blocked" // the player blocks MostBlocked
)

// Lists are the friends and blocks of one player, as readers need them.
type Lists struct {
	Player  string
	Version int64    // greater than that of every older state of this player
	Friends []string // in ascending order
	Blocked []string // by this player, in ascending order
}

// Relation is another player, and the time since which the relation exists.
type Relation struct {
	Player string
	Since  time.Time
}

// Relations are everything between a player and others that the player may see.
type Relations struct {
	Friends  []Relation // newest first
	Received []Relation // requests to answer, newest first
	Sent     []Relation // requests that wait, newest first
	Blocked  []string   // in ascending order
	Stale    bool       // the copy may be behind
}

// Invite makes a friend of each player who brings its code. The code itself is not kept.
type Invite struct {
	Digest  [sha256.Size]byte // of the code
	Player  string            // who made it
	Uses    int               // how many players may become friends by it
	At      time.Time
	Expires time.Time
}

// OpenInvite is an invite as its player sees it.
type OpenInvite struct {
	MadeAt    time.Time `json:"made_at"`
	ExpiresAt time.Time `json:"expires_at"`
	UsesLeft  int       `json:"uses_left"`
}

// Graph keeps what is between players. Each method is one transaction, and may be called again
// after an error. Errors: [game.ErrDatabaseAway].
type Graph interface {
	// Change does what an action says, and reads the lists of both players after it.
	Change(ctx context.Context, action Action, player, other string, at time.Time) (Outcome, []Lists, error)
	// Inviter reads who made an invite that the player can accept; "" if there is none.
	Inviter(ctx context.Context, digest [sha256.Size]byte, player string, at time.Time) (inviter string, err error)
	// Redeem makes a player friends with the player who made an invite. Outcomes: Friends,
	// None, Blocking, FullMe, FullOther; with None, other is "".
	Redeem(ctx context.Context, digest [sha256.Size]byte, player string, at time.Time) (outcome Outcome, other string, lists []Lists, err error)
	KeepInvite(ctx context.Context, invite Invite) error
	Relations(ctx context.Context, player string) (Relations, error)
	// EraseFriends removes a player from everything. Lists of others that change by it become
	// Uncopied.
	EraseFriends(ctx context.Context, player string) error
	// Uncopied reads up to limit lists that the copy may lack.
	Uncopied(ctx context.Context, limit int) ([]Lists, error)
	// Copied notes that the copy has these lists, or newer ones. It returns those that the
	// graph no longer has: the lists of players who were erased meanwhile.
	Copied(ctx context.Context, lists []Lists) (gone []Lists, err error)
	// AllLists reads the lists of every player who has friends or blocks somebody.
	AllLists(ctx context.Context, each func([]Lists) error) error
}

// Copy is where readers find lists.
type Copy interface {
	// Write puts lists in place of older ones.
	Write(ctx context.Context, lists []Lists) error
	// Forget removes a player's lists.
	Forget(ctx context.Context, player string) error
	// Drop removes lists, each unless a newer one is there.
	Drop(ctx context.Context, lists []Lists) error
}
