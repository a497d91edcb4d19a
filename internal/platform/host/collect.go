package host

import (
	"runtime/debug"
	"strconv"
)

// collectPercent is the GOGC value of a function: how much the heap grows before a garbage
// collection. A function keeps a few megabytes; with 100 a collection would begin every
// hundred requests or so, and take a third of a request's CPU.
const collectPercent = 400

// collectLess makes garbage collections rarer, if the memory size is known or limited. The
// memory limit keeps a process with much data from growing to five times its size:
// collections become frequent only near the limit. A GOGC in the environment is left as it
// is.
func collectLess(getenv func(string) string) {
	percent, limit := collecting(getenv)
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	if percent > 0 {
		debug.SetGCPercent(percent)
	}
}

// collecting returns the GOGC value and the memory limit in bytes to set; 0 leaves a setting
// as it is.
func collecting(getenv func(string) string) (percent int, limit int64) {
	if getenv("GOGC") != "" {
		return 0, 0
	}
	if getenv("GOMEMLIMIT") != "" { // the runtime has read it
		return collectPercent, 0
	}
	megabytes, err := strconv.ParseInt(getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"), 10, 64)
	if err != nil || megabytes <= 0 {
		return 0, 0
	}
	return collectPercent, megabytes << 20 / 4 * 3 // the rest is for the program itself and memory outside Go's heap
}
