package model

import (
	"fmt"
	"strings"
	"sync"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// shown is how many faults are described in words.
const shown = 20

// Faults are the deviations that were found: how many, and a description of the first
// ones.
type Faults struct {
	Count int64
	First []string // at most 20
}

// Print writes the faults, or right if none was found.
func (f Faults) Print(b *strings.Builder, right string) {
	if f.Count == 0 {
		fmt.Fprintln(b, right)
		return
	}
	fmt.Fprintf(b, "WRONG                %s times\n", progress.Count(f.Count))
	for _, fault := range f.First {
		fmt.Fprintf(b, "  %s\n", fault)
	}
}

// Finds collects faults. It is safe for concurrent use.
type Finds struct {
	mu     sync.Mutex
	faults Faults
}

// Add records a fault.
func (f *Finds) Add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults.Count++
	if len(f.faults.First) < shown {
		f.faults.First = append(f.faults.First, fmt.Sprintf(format, args...))
	}
}

// Faults returns the faults so far.
func (f *Finds) Faults() Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.faults
}
