// Package friends is who is whose friend: requests, friendships, blocks and
// invites, and the order in which a change of them takes effect.
//
// It knows what may be asked for and what can come of it. It must not know
// SQL, Redis or HTTP: what is between players is kept by a [Graph], and a
// [Copy] of each player's lists is where boards and duels read them, so that
// reading needs no database.
//
// # Order
//
// A change is made in the graph, then copied, then answered. So whoever has
// got an answer can rely on every reader's seeing it; whoever has not may ask
// again, whatever happened. Each list has a version, and an older one never
// takes the place of a newer one, however late it arrives. What was changed
// and could not be copied is found again by [Service.Settle].
//
// # Blocks
//
// A block ends a friendship, and takes back what either has asked. It shows
// nowhere to the one who is blocked: a request to somebody who blocks is kept
// as if it waited, an invite of theirs is answered like one that has expired.
package friends
