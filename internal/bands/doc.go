// Package bands keeps a board that is larger than one record of Redis may be: as
// several sorted sets by score, its bands, which may lie in several databases.
//
// A band cannot say which other band a player stands in. So beside the bands a board
// has homes: sorted sets of player and score, a share of the players in each, by a
// hash of the player. What a player's home says is the player's score; the bands are
// the same scores in an order that ranks are read from.
//
// Three things hold, whatever is lost on the way:
//
//   - A home only improves, by one conditional write. No score is lost or made worse by
//     writes that overtake each other, however many databases there are.
//   - A player is taken out of a band only after the home says that the player is past
//     it. The home never comes back, so that is right for ever, whoever does it and
//     however late.
//   - What else a band may hold of a player was left there by a write that was cut off
//     or overtaken. [Bands.Settle] makes the bands say what the home says from any state.
//
// decisions/0060 has the proof. The package knows keys, scores and databases. It must
// not know games, days, names or who is asking.
package bands
