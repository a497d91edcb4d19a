// Package play hands out plays and takes them back. A play is a player's leave to
// send one score of one mode and day: a token that only this deployment can make, with
// the moment at which it was made and what the player was given to do. Nothing of it is
// kept: that it was used is the record of the submission.
//
// It knows what a play is, when it holds, and what a proof has to be. It must not know
// HTTP, Redis or how any proof comes to its values.
package play
