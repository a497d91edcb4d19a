// Package friend implements friendships: requests, blocks and invites, and the order in which
// a change takes effect.
//
// It knows what players may ask for and how that can end. It does not know SQL, Redis or HTTP.
// A [Graph] keeps what is between players. A [Copy] of each player's lists is what boards and
// duels read, so that reading needs no database.
//
// # Order
//
// A change is made in the graph, then copied, then answered. So after an answer, every reader
// sees the change; without an answer, the caller may ask again, whatever happened. Each list
// has a version, and an older version never replaces a newer one, however late it arrives.
// [Service.Settle] finds and copies the changes that could not be copied.
//
// # Blocks
//
// A block ends a friendship and withdraws the requests of both players. The blocked player
// does not notice it: a request to a player who blocks is kept as if it waited, and an invite
// of such a player is answered like an expired one.
package friend
