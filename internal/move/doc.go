// Package move copies everything that is kept in one Redis into another, empty
// one, and holds the two against each other afterwards. It knows strings, hashes,
// lists, sets, sorted sets and streams without consumer groups, which is all that the
// product keeps, and their expiries; it must not know what is in them.
//
// It lists keys by SCAN, which the product never does: it is an operator's tool,
// and no function may link it.
//
// # How it stays right
//
// The source is only read. A page of keys is copied whole before the target notes
// that it was, in a mark that stands there while a move is under way: a move that
// was cut off goes on from there, and copies the last page again. The mark is how
// a target knows that what it holds is this move's own; without it, one that is
// not empty is refused.
//
// Expiries are copied as moments, scores by the digits that Redis writes, which
// name one float64. A stream's entries keep their ids, and the stream the last one
// that it gave; what adds them is never sent twice, so that a lost answer ends the
// run, and the next one copies the page again. Afterwards every key of the source is read once more and
// compared, in type, size, content and expiry; what differs is copied again and
// compared again; what the source does not have is deleted. So a copy that was made
// while writes went on becomes right by a second run while none does.
//
// # What it costs
//
// 8 billed commands for each key in the source and 6 in the target, 2 more in each
// for every 500 fields or members of it beyond the first. For a hash 2 more in the
// source and every 500 fields, where that knows fields that expire. For a stream 2
// more in each, 1 in the target for each entry, and 2 in each for every 50.
package move
