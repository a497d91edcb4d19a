// Package bands keeps a board that is too large for one record of Redis: as several sorted
// sets by score, its bands, which may lie in several databases.
//
// A band cannot say in which other band a player is. So beside its bands a board has homes:
// sorted sets of player and score. Each home has a share of the players, by a hash of the
// player. The score in a player's home is the player's score. The bands have the same scores in
// order, so that ranks can be read from them.
//
// Three things are true, whatever fails in between:
//
//   - A home only improves, by one conditional write. No score is lost or made worse by writes
//     that overtake each other, however many databases there are.
//   - A player is taken out of a band only after the home has a score that belongs elsewhere. The
//     home never goes back to the old score, so that is right for ever, whichever process does it
//     and however late.
//   - Anything else that a band has of a player was left there by a write that was cut off or
//     overtaken. [Bands.Settle] makes the bands agree with the home, from any state.
//
// decisions/0060 has the proof. The package knows keys, scores and databases. It must not know
// games, days, names or who is asking.
package bands
