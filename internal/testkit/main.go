package testkit

import (
	"flag"
	"testing"
)

// Main runs the tests of a package and gives the exit status. Its property tests
// take so many checks of so many steps, since each is some round trips; an empty
// number leaves rapid's own, and a flag that is given stands.
func Main(m *testing.M, checks, steps string) int {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": checks, "rapid.steps": steps, "rapid.nofailfile": "true"} {
		if !given[name] && value != "" {
			_ = flag.Set(name, value)
		}
	}
	return m.Run()
}
