// Package demo is a small population that plays against a local product, so that its boards
// are in motion: invented players with names and countries, some days that they have already
// played, friends, duels, and plays that come in as long as the demo runs.
//
// It speaks to the product over HTTP only, as a game server, an operator and players do, and
// asks it for its game. It does not know how anything is stored. What it does follows from a
// seed and the date.
package demo
