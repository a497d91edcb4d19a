// Package queue carries scores from the function that takes them to the one that
// writes them, many at once: what a message holds, and what becomes of it; events of activity come beside them.
//
// It knows submissions, boards and that messages come at least once, in any
// order and in any batches. It must not know HTTP, or which queue it is: one is in
// package sqsqueue, another in package inprocess.
package queue
