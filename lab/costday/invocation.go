package costday

import "math"

// invocation is what one request costs beside Redis, measured by
// lab/bench/invocation on 2026-11-27: amd64, two busy cores, 4,000 of each, through
// the Lambda runtime loop, session tokens verified.
type invocation struct {
	function string
	cpu      float64 // microseconds
	answer   float64 // bytes
}

var invocations = map[string]invocation{
	routeSubmit:  {functionSubmit, 495, 213},
	routePage:    {functionLeaderboard, 530, 10_719}, // cachedPage less where nothing was read
	routeAround:  {functionLeaderboard, 575, 1_342},
	routeFriends: {functionLeaderboard, 450, 2_207},
	routeWeek:    {functionLeaderboard, 510, 277},
	// A batch of a thousand, at the 58,000 scores a second on two cores that the queue
	// takes in: make bench-queue.
	routeIngest: {routeIngest, 34_500, 0},
}

// otherInvocation is any request that is not in the list: the dearest of those that
// are, with the answer of a page.
var otherInvocation = invocation{functionLeaderboard, 575, 10_719}

const (
	// cachedPage is how much less a page takes that need not be read: 220 µs.
	cachedPage = 530 - 220
	// lineBytes is the longest of the lines that were measured there.
	lineBytes = 211
	// roundTripMS is what an exchange with a Redis in the same region is taken to
	// last.
	roundTripMS = 3
	// memoryOfCPU is the memory, in MB, for which Lambda gives one CPU:
	// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
	memoryOfCPU = 1769
	// coldStarts is how many environments a function of players starts on a day: one
	// after each 7 idle minutes of 16 hours, which with more players are fewer each.
	coldStarts = 16 * 60 / 7
	// runMS and runMSEach are what a run of a schedule takes, and cron-daily more for
	// each player: 362,000 took 20 s on two cores (docs/operate.md), here on a sixth of
	// them.
	runMS, runMSEach = 2_000, 0.35
)

// memoryMB is what functions have in template.yaml; a test holds them against it.
var memoryMB = map[string]float64{
	functionSubmit: 256, functionLeaderboard: 256, "enqueue": 256, routeIngest: 512,
	cronDaily: 1024, cronWeekly: 1024, cronSave: 512, cronUsage: 256,
}

// milliseconds is what Lambda bills for an invocation: its CPU time at the share of
// a CPU that the function gets, and its waits for Redis, in whole milliseconds.
func milliseconds(cpu, memoryMB, roundTrips float64) float64 {
	return math.Ceil(cpu/1000*memoryOfCPU/memoryMB + roundTrips*roundTripMS)
}
