package costday

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

// ErrMiscounted says that the meter and Redis do not agree.
var ErrMiscounted = errors.New("the meter and Redis disagree")

// Agree compares the meter's count with what Redis ran meanwhile, by lower-case name, as
// in INFO commandstats. Commands that are not billed are left out.
//
// Redis must have run every name as often as the meter counted it. The meter has no names
// for the commands that scripts called. So some names may have run more often, and the
// sum of these differences must be the number of such calls in the meter.
func Agree(counted upstash.Usage, ran map[string]int64) error {
	more := int64(0)
	var faults []string
	names := map[string]int64{}
	for name, n := range ran {
		if !stage.Free(name) {
			name, _, _ = strings.Cut(name, "|")
			names[name] += n
		}
	}
	for name := range counted.ByName {
		if name != upstash.InnerCalls {
			names[strings.ToLower(name)] += 0
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		over := names[name] - counted.ByName[strings.ToUpper(name)]
		if over != 0 {
			faults = append(faults, fmt.Sprintf("%s %+d", name, over))
		}
		if over < 0 {
			more = -1
			break
		}
		more += over
	}
	if inner := counted.ByName[upstash.InnerCalls]; more != inner {
		return fmt.Errorf("%w: Redis ran beyond the count (%s), of which scripts explain %d", ErrMiscounted, strings.Join(faults, ", "), inner)
	}
	return nil
}

// difference is what ran between two readings of the statistics.
func difference(before, after map[string]int64) map[string]int64 {
	ran := map[string]int64{}
	for name, n := range after {
		if n -= before[name]; n != 0 {
			ran[name] = n
		}
	}
	return ran
}
