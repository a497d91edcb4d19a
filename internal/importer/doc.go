// Package importer loads scores from a file through the batch endpoint of the
// public API, so that an interrupted or repeated run does no harm.
//
// It knows file formats, how lines are grouped into batches, which of them are
// known done, and what a batch's answer means for its lines. It must not know
// Redis, keys of boards or what a policy does with a score: the product's own
// API decides that, as for anybody else.
//
// # Why a run can be repeated
//
// The lines of a file are cut into ranges of consecutive lines, one batch
// each. Range and place in it depend on the file and the batch size alone, and
// a batch's Idempotency-Key on the file's content and the range; so the same
// line is sent under the same key in every run, for the 24 hours that the
// product remembers keys. Only modes of policy sum need that; with the others a
// score can be sent any number of times. What goes beyond a day is the progress
// file's part: it names the last line up to which all are known done, and the
// batch size, which a later run keeps to.
//
// Lines of one player are never under way in two batches at once, so they
// count in the order of the file.
package importer
