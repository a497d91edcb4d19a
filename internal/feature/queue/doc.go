// Package queue carries scores from the function that takes them to the one that writes them
// in batches: it encodes messages and decides what becomes of each. It carries events of
// activity in the same way.
//
// It knows submissions and boards, and that messages arrive at least once, in any order and
// in any batches. Only its endpoints know HTTP. It must not know which queue it is: package
// sqsqueue has one, package kafka another, and inprocess.go one for development.
package queue
