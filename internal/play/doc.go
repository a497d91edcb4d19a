// Package play hands out plays, and opens those that come back with a score. A play allows
// its player to send one score of one mode and day. It is a token that only this deployment
// can make, with the moment at which it was made and the challenge that the player got. A
// play is stored nowhere; package once records that it was used.
//
// Package play knows what a play is, when it is valid, and what a proof has to do. It must
// not know HTTP, Redis, or how any proof gets its values.
package play
