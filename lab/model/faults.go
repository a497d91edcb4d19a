package model

import (
	"fmt"
	"strings"
	"sync"

	"github.com/framedle/leaderboards/internal/progress"
)

// shown is how many faults are told in words.
const shown = 20

// Faults are what was not as it must be: how often, and the first cases in words.
type Faults struct {
	Count int64
	First []string // at most 20
}

// Print writes them, or that everything is right.
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

// Finds gathers faults. It is safe for concurrent use.
type Finds struct {
	mu     sync.Mutex
	faults Faults
}

// Add notes what is wrong.
func (f *Finds) Add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults.Count++
	if len(f.faults.First) < shown {
		f.faults.First = append(f.faults.First, fmt.Sprintf(format, args...))
	}
}

// Faults are those so far.
func (f *Finds) Faults() Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.faults
}
