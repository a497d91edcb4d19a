// Package move copies everything in one Redis into another, empty one, and then compares the
// two. It knows strings, hashes, lists, sets, sorted sets and streams without consumer groups,
// which is all that the product keeps, and their expiries. It does not know what they contain.
//
// It lists keys with SCAN, which the product never does: it is an operator's tool, and no
// function may link it.
//
// # How it stays right
//
// The source is only read. The target has a mark while a move is under way. A run copies a
// page of keys completely before it notes the page in the mark, so a move that was cut off
// continues from the mark and copies the last page again. The mark also shows that the keys in
// the target are this move's own: without it, a target that is not empty is refused.
//
// Expiries are copied as timestamps, scores by the digits that Redis writes, which identify
// one float64. A stream's entries keep their ids, and the stream keeps the last id it gave.
// Commands that add entries are never sent twice: a lost answer ends the run, and the next run
// copies the page again.
//
// After copying, a run reads every key of the source once more and compares type, size,
// content and expiry. It copies differing keys again and compares them again, and deletes keys
// that the source does not have. So a second run, while nothing writes, corrects a copy that
// was made during writes.
//
// # What it costs
//
// 8 billed commands for each key in the source and 6 in the target, 2 more in each for every
// 500 fields or members after the first 500. For a hash 2 more in the source for every 500
// fields, if the source supports fields that expire. For a stream 2 more in each, 1 in the
// target for each entry, and 2 in each for every 50.
package move
