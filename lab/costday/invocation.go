package costday

import "math"

// invocation is what one request costs apart from Redis. lab/bench/invocation measured it
// on 2026-11-27: amd64, two busy cores, 4,000 requests of each kind, through the Lambda
// runtime loop, session tokens verified.
type invocation struct {
	function string
	cpu      float64 // microseconds
	answer   float64 // bytes
}

var invocations = map[string]invocation{
	routeSubmit:  {functionSubmit, 495, 213},
	routePage:    {functionLeaderboard, 530, 10_719}, // if no page was read, less by cachedPage
	routeAround:  {functionLeaderboard, 575, 1_342},
	routeFriends: {functionLeaderboard, 450, 2_207},
	routeWeek:    {functionLeaderboard, 510, 277},
	// A batch of a thousand; the queue takes in 58,000 scores a second on two cores: make
	// bench-queue.
	routeIngest: {routeIngest, 34_500, 0},
}

// otherInvocation is any request that is not in the list: as dear as the dearest one,
// with the answer of a page.
var otherInvocation = invocation{functionLeaderboard, 575, 10_719}

const (
	// cachedPage is the difference between a page that is read (530 µs) and one in memory
	// (220 µs).
	cachedPage = 530 - 220
	// lineBytes is the longest log line of that measurement.
	lineBytes = 211
	// roundTripMS is the assumed time of a round trip to a Redis in the same region.
	roundTripMS = 3
	// memoryOfCPU is the memory, in MB, at which Lambda gives one CPU:
	// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
	memoryOfCPU = 1769
	// coldStarts is how many environments a function for players starts on a day: one for
	// each 7 idle minutes of 16 hours. With more players each function starts fewer.
	coldStarts = 16 * 60 / 7
	// runMS is what a run of a schedule takes. cron-daily takes runMSEach more for each
	// player: 362,000 players took 20 s on two cores (docs/internals/features.md), and the function
	// has a sixth of these.
	runMS, runMSEach = 2_000, 0.35
)

// memoryMB is the memory of functions in template.yaml; a test compares the two.
var memoryMB = map[string]float64{
	functionSubmit: 256, functionLeaderboard: 256, functionEnqueue: 256, functionIngest: 512,
	cronDaily: 1024, cronWeekly: 1024, cronSave: 512, cronUsage: 256,
}

// milliseconds is what Lambda bills for an invocation: its CPU time at the function's
// share of a CPU, plus the waits for Redis, in whole milliseconds.
func milliseconds(cpu, memoryMB, roundTrips float64) float64 {
	return math.Ceil(cpu/1000*memoryOfCPU/memoryMB + roundTrips*roundTripMS)
}
