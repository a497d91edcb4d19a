// Package importer loads scores from a file through the batch endpoint of the public API, so
// that an interrupted or repeated run does no harm.
//
// It knows file formats, how lines form batches, which batches are done, and what a batch's
// answer means for its lines. It does not know Redis, keys of boards or what a policy does
// with a score: the product decides that, as for every caller.
//
// # Why a run can be repeated
//
// A run cuts the lines of a file into ranges of consecutive lines, one batch each. A line's
// range and place depend only on the file and the batch size, and a batch's Idempotency-Key
// only on the file's content and the range. So every run sends the same line under the same
// key, for the 24 hours that the product remembers keys. Only modes of policy sum need that:
// with the other policies a score may be sent any number of times. After a day, the progress
// file takes over: it has the last line up to which all are done, and the batch size, which a
// later run keeps.
//
// Lines of one player are never under way in two batches at once, so they count in the order
// of the file.
package importer
