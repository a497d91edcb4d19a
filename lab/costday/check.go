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

// ErrMiscounted is returned where the meter and Redis do not agree.
var ErrMiscounted = errors.New("the meter and Redis disagree")

// Agree holds what was counted against what Redis ran meanwhile, by lower-case
// name, as INFO commandstats has it. Commands that are not billed are left out.
//
// Every name must have run as often as it was counted; what a script called has
// no name in the meter, so the names that ran more often must do so by exactly
// the number of calls that scripts were counted for.
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

// difference is what ran between two looks at the statistics.
func difference(before, after map[string]int64) map[string]int64 {
	ran := map[string]int64{}
	for name, n := range after {
		if n -= before[name]; n != 0 {
			ran[name] = n
		}
	}
	return ran
}
