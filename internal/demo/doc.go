// Package demo is a small population that plays a local product, so that its boards
// live: invented players with names and countries, some days that they have played
// already, friends, duels, and plays that come in for as long as it runs.
//
// It speaks to the product over HTTP alone, as a game server, an operator and players
// do, and asks it what game it is. It must not know how anything is stored, and what
// it does follows from a seed and the date.
package demo
