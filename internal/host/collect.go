package host

import (
	"runtime/debug"
	"strconv"
)

// collectPercent is by how much the heap grows before garbage is collected, as GOGC
// counts. A function keeps a few megabytes: by 100 it begins every hundred requests or
// so, which is a third of a request's CPU.
const collectPercent = 400

// collectLess has garbage be collected less often where it is known how much memory
// there is. With a limit on it a process that keeps much does not grow to five times
// of it: it collects as often as it would without, and more often only where it would
// be near its end. What GOGC says holds.
func collectLess(getenv func(string) string) {
	percent, limit := collecting(getenv)
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	if percent > 0 {
		debug.SetGCPercent(percent)
	}
}

// collecting says when garbage is collected; 0 leaves the percentage, or the limit in
// bytes, as it is.
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
	return collectPercent, megabytes << 20 / 4 * 3 // the rest is the program, and what is not Go's
}
