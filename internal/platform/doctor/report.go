package doctor

import (
	"fmt"
	"strings"
)

// State is the result of a check.
type State string

// The states of a check.
const (
	Good    State = "ok"
	Note    State = "note"  // worth reading; nothing is broken
	Skipped State = "-"     // it needs something that was not given
	Wrong   State = "WRONG" // something is broken, and players or the operator will notice
)

// Check is one line of a report.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Says  string `json:"says"` // what was found and, where something is wrong, what to do
}

// Report is the result of an examination, in the order of the checks.
type Report struct {
	Checks []Check `json:"checks"`
}

// Sick reports whether anything is wrong.
func (r Report) Sick() bool {
	for _, c := range r.Checks {
		if c.State == Wrong {
			return true
		}
	}
	return false
}

// String returns a line for each check.
func (r Report) String() string {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%-5s  %-10s  %s\n", c.State, c.Name, c.Says)
	}
	return b.String()
}

func (r *Report) add(name string, state State, format string, args ...any) {
	r.Checks = append(r.Checks, Check{name, state, fmt.Sprintf(format, args...)})
}
