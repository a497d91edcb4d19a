package price

import "math"

// Invocation is what one costs, measured by lab/bench/invocation (2026-11-22, amd64,
// 2,000 of each, a busy machine) as its CPU time in microseconds, the bytes of its
// line in the log and of its answer. A function gets 1 CPU for 1,769 MB of memory.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
type Invocation struct {
	CPU        float64 // microseconds
	RoundTrips float64
	Line       float64 // bytes
	Answer     float64 // bytes
}

// What cannot be measured on one machine.
const (
	memoryOfCPU = 1769 // MB
	// RoundTripMS is what an exchange with Redis in the same region is taken to last.
	RoundTripMS = 3
	// InitMS is what Lambda is taken to bill for a start: with two CPUs functions
	// need 5 ms of it.
	InitMS = 100
)

// Milliseconds is what is billed for the invocation of a function with so much
// memory: its CPU time at the share of a CPU that it gets, and its waits, whole
// milliseconds.
func (i Invocation) Milliseconds(memoryMB float64) float64 {
	return math.Ceil(i.CPU/1000*memoryOfCPU/memoryMB + i.RoundTrips*RoundTripMS)
}
